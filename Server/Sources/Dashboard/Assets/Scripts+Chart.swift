extension Scripts {
  /// The chart: stacked bars from the `data-series` of the page.
  static let chart = #"""
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let chart = null;

    const token = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    // A name keeps its colour while the page is open, whatever its rank becomes.
    const slots = new Map();
    function keepColours(lines) {
      const named = lines.filter(line => line.slot), used = new Set();
      for (const line of named) if (slots.has(line.name)) used.add(slots.get(line.name));
      for (const line of named) {
        if (slots.has(line.name)) continue;
        const free = [line.slot, 1, 2, 3, 4, 5, 6, 7, 8].find(slot => !used.has(slot)) ?? line.slot;
        slots.set(line.name, free);
        used.add(free);
      }
      for (const line of named) line.slot = slots.get(line.name);
      for (const item of $$('#series [data-name]')) {
        item.dataset.series = slots.get(item.dataset.name) ?? item.dataset.series;
      }
    }
    const seriesColour = line => token(line.slot ? `--series-${line.slot}` : '--series-other');

    function drawChart() {
      const box = $('#chart');
      const source = $('#series');
      if (!box || !source) return;
      const data = JSON.parse(source.dataset.series);
      keepColours(data.lines);
      colourRows();
      if (!window.echarts) { $('#series-details').open = true; return; }
      if (chart && chart.getDom() !== box) { chart.dispose(); chart = null; }
      chart ??= echarts.init(box, null, { renderer: 'canvas' });
      chart.setOption(drawable(chartOption(data)), { replaceMerge: ['series'] });
    }

    function chartOption(data) {
      const ink = token('--ink-3'), last = data.labels.length - 1;
      const font = { fontFamily: token('--sans'), fontSize: 12, color: ink };
      const empty = { name: '', type: 'bar', stack: 'all', data: data.labels.map(() => 0) };
      return {
        animation: !calm.matches, animationDuration: 250, animationDurationUpdate: 250,
        aria: { enabled: false },
        grid: { left: 6, right: 6, top: 10, bottom: 4, containLabel: true },
        xAxis: { type: 'category', data: data.labels, axisTick: { show: false },
          axisLine: { lineStyle: { color: token('--line-2') } },
          axisLabel: { ...font, hideOverlap: true, margin: 10 } },
        yAxis: { type: 'value', ...axisScale('count', ...stackReach(data.lines)),
          splitLine: { lineStyle: { color: token('--line') } },
          axisLabel: { ...font, formatter: value => grouped.format(value) } },
        tooltip: tooltip('shadow', at => tip(data, at)),
        series: data.lines.length ? data.lines.map(line => ({
          name: line.name, type: 'bar', stack: 'all', barCategoryGap: '22%', barMaxWidth: 26,
          itemStyle: { color: seriesColour(line) }, emphasis: { disabled: true },
          // The running minute or day is hatched: it is not over yet.
          data: line.counts.map((count, at) => at === last ? hatched(count, seriesColour(line)) : count),
        })) : [empty],
      };
    }

    // What hovers over a place of a chart, marked by a line or a shadow.
    const tooltip = (pointer, content) => ({
      trigger: 'axis', axisPointer: { type: pointer, lineStyle: { color: token('--line-2') },
        shadowStyle: { color: dark.matches ? 'rgba(255,255,255,.05)' : 'rgba(40,36,28,.05)' } },
      confine: true, transitionDuration: 0, padding: [9, 13], borderWidth: 0,
      backgroundColor: token('--card'), extraCssText: 'border-radius:9px;box-shadow:' + token('--shadow-2'),
      formatter: points => content(points[0].dataIndex),
    });

    // Elements, not markup: a name is whatever an app calls its events.
    function tipBox() {
      const box = document.createElement('div');
      box.className = 'tip';
      const add = (tag, text, parent = box) => {
        const element = document.createElement(tag);
        if (text !== undefined) element.textContent = text;
        parent.append(element);
        return element;
      };
      return [box, add];
    }

    function tip(data, at) {
      const [box, add] = tipBox();
      add('b', data.titles[at] + (at === data.labels.length - 1 ? ' (so far)' : ''));
      let sum = 0;
      data.lines.forEach(line => {
        const count = line.counts[at];
        sum += count;
        if (!count) return;
        const row = add('p');
        const swatch = add('i', '', row);
        swatch.className = 'swatch';
        swatch.style.background = seriesColour(line);
        add('span', line.name, row);
        add('em', grouped.format(count), row);
      });
      const row = add('p');
      row.className = 'tip-sum';
      add('span', sum ? 'All' : 'No events', row);
      if (sum) add('em', grouped.format(sum), row);
      return box;
    }

    // The dots of the list have the colours of the chart.
    function colourRows() {
      const shown = new Map($$('#series [data-name]').map(item => [item.dataset.name, item.dataset.series]));
      for (const row of $$('.event[data-kind=event]')) {
        const slot = shown.get(row.dataset.name);
        if (row.dataset.series !== slot) {
          if (slot) row.dataset.series = slot; else delete row.dataset.series;
        }
      }
    }

    dark.addEventListener('change', drawChart);
    addEventListener('resize', () => chart?.resize());

    """#
}
