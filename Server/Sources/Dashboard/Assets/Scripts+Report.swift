extension Scripts {
  /// The chart of a report, from the `data-chart` of the page.
  static let report = #"""
    const reportCharts = new Map();

    // Every chart that is not drawn yet; with `again` the others, too, as after the colours changed.
    function drawReports(again) {
      for (const [box, chart] of reportCharts) {
        if (!box.isConnected) { chart.dispose(); reportCharts.delete(box); }
      }
      for (const box of $$('[data-chart]')) {
        if (!window.echarts) {
          box.closest('.card')?.querySelector('.table-toggle')?.setAttribute('open', '');
          continue;
        }
        if (reportCharts.has(box) && !again) continue;
        const data = JSON.parse(box.dataset.chart);
        box.classList.toggle('report-bars', data.kind === 'bars');
        const chart = reportCharts.get(box) ?? echarts.init(box, null, { renderer: 'canvas' });
        reportCharts.set(box, chart);
        box.classList.toggle('report-flow', data.kind === 'flow');
        chart.setOption(optionOf(data, box.clientWidth), { notMerge: true });
      }
    }

    const optionOf = (data, width) => data.kind === 'flow' ? flowOption(data) : reportOption(data, width);

    // What flows where, column by column; a name has one colour in all columns.
    function flowOption(data) {
      const font = { fontFamily: token('--sans'), fontSize: 12, color: token('--ink') };
      const names = [], nodes = new Map(), links = [];
      const key = (step, name) => step + '\n' + name;
      const node = (step, name) => {
        if (!names.includes(name)) names.push(name);
        const slot = names.indexOf(name) % 8 + 1;
        nodes.set(key(step, name), { name: key(step, name), depth: step,
          itemStyle: { color: token(name === '(all others)' ? '--series-other' : '--series-' + slot), borderWidth: 0 } });
        return key(step, name);
      };
      for (const flow of data.flows) {
        links.push({ source: node(flow.step, flow.from), target: node(flow.step + 1, flow.to), value: flow.count });
      }
      const last = Math.max(0, ...[...nodes.values()].map(node => node.depth));
      const plain = text => text.slice(text.indexOf('\n') + 1);
      const total = step => data.flows.filter(flow => flow.step === step).reduce((sum, flow) => sum + flow.count, 0);
      return {
        animation: !calm.matches, animationDuration: 250, aria: { enabled: false },
        tooltip: { ...tooltip('none', () => null), trigger: 'item', formatter: at => {
          const [box, add] = tipBox();
          if (at.dataType === 'edge') {
            add('b', plain(at.data.source) + ' → ' + plain(at.data.target));
            const step = Number(at.data.source.split('\n')[0]);
            add('p', at.data.value.toLocaleString('en-US') + ' paths, '
              + Math.round(at.data.value / total(step) * 1000) / 10 + ' % of those that go on here');
          } else {
            add('b', plain(at.name));
            add('p', at.value.toLocaleString('en-US') + ' paths');
          }
          return box;
        } },
        series: [{ type: 'sankey', left: 4, right: 4, top: 8, bottom: 8, nodeWidth: 10, nodeGap: 14,
          draggable: false, layoutIterations: 24, emphasis: { focus: 'adjacency' },
          data: [...nodes.values()].map(node => ({ ...node,
            label: { position: node.depth === last && last > 0 ? 'left' : 'right' } })),
          links, lineStyle: { color: 'source', opacity: dark.matches ? 0.35 : 0.25, curveness: 0.5 },
          label: { ...font, width: 150, overflow: 'truncate', formatter: at => plain(at.name) } }],
      };
    }

    // A picture of a chart with its title and what its lines are, twice as fine as a screen.
    document.addEventListener('click', event => {
      const button = event.target.closest('button[data-png]');
      const box = button && document.getElementById(button.dataset.png);
      if (!box || !window.echarts) return;
      const data = JSON.parse(box.dataset.chart), width = 1000;
      const font = { fontFamily: token('--sans'), color: token('--ink') };
      const chart = echarts.init(document.createElement('div'), null, { renderer: 'canvas', width, height: 480 });
      const many = data.lines.length > 1;
      chart.setOption({ ...optionOf(data, width), animation: false,
        title: { text: button.dataset.title, subtext: button.dataset.subject, left: 14, top: 12,
          textStyle: { ...font, fontSize: 18 },
          subtextStyle: { ...font, fontSize: 12, color: token('--ink-2'), width: width - 28, overflow: 'truncate' } },
        legend: { show: many, left: 14, bottom: 8, type: 'plain', icon: 'roundRect',
          textStyle: { ...font, color: token('--ink-2') } },
        grid: { left: 14, right: 22, top: 74, bottom: many ? 52 : 14, containLabel: true } });
      const link = document.createElement('a');
      link.href = chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: token('--card') });
      link.download = button.dataset.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase() + '.png';
      link.click();
      chart.dispose();
    });

    const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
    function axisText(unit, value) {
      if (unit === 'share') return Math.round(value * 1000) / 10 + ' %';
      if (unit === 'duration') return span(Math.round(value / 1000));
      return short.format(value);
    }

    function reportOption(data, room) {
      const ink = token('--ink-3'), last = data.labels.length - 1;
      const font = { fontFamily: token('--sans'), fontSize: 12, color: ink };
      const isShare = data.unit === 'share', isLine = data.kind === 'lines';
      const few = data.labels.length < 40;
      // A label is centred below its place: the last one of lines needs half its width beside the chart.
      const beside = isLine ? Math.min(60, Math.max(12, Math.ceil(String(data.labels[last] ?? '').length * 3.6))) : 12;
      const lineOf = (name, values, colour, isPrevious) => ({ name, type: 'line', z: 3, symbol: 'circle',
        symbolSize: few ? 5 : 0, showSymbol: few, connectNulls: false, emphasis: { disabled: true },
        lineStyle: { width: 2, color: colour, type: isPrevious ? 'dashed' : 'solid', opacity: isPrevious ? 0.6 : 1 },
        itemStyle: { color: colour, opacity: isPrevious ? 0.6 : 1 }, data: values });
      return {
        animation: !calm.matches, animationDuration: 250, animationDurationUpdate: 250,
        aria: { enabled: false },
        grid: { left: 6, right: beside, top: 12, bottom: 4, containLabel: true },
        xAxis: { type: 'category', data: data.labels, boundaryGap: !isLine, axisTick: { show: false },
          axisLine: { lineStyle: { color: token('--line-2') } },
          axisLabel: { ...font, hideOverlap: data.kind !== 'bars', margin: 10,
            ...(data.kind === 'bars' ? { interval: 0, width: barWidth(data.labels.length, room), overflow: 'truncate' } : {}) } },
        yAxis: { type: 'value', minInterval: data.unit === 'count' ? 1 : undefined, splitNumber: 3,
          min: range => Math.min(0, range.min),
          max: isShare ? range => data.kind === 'bars' || range.max > 0.5 ? 1 : null
            : range => data.unit === 'count' && range.max < 4 ? 4 : null,
          splitLine: { lineStyle: { color: token('--line') } },
          axisLabel: { ...font, formatter: value => axisText(data.unit, value) } },
        tooltip: tooltip(isLine ? 'line' : 'shadow', at => reportTip(data, at)),
        series: data.lines.map(line => {
          const colour = reportColour(line);
          // The period before is a line beside bars, never a part of what they add up to.
          if (!isLine && line.previous) return lineOf(line.name, line.values, token('--ink-2'), true);
          if (!isLine) {
            return { name: line.name, type: 'bar', stack: data.kind === 'stack' ? 'all' : undefined,
              barMaxWidth: data.kind === 'bars' ? 120 : 30, barCategoryGap: data.kind === 'bars' ? '30%' : '22%',
              itemStyle: { color: colour, borderRadius: data.kind === 'bars' ? [4, 4, 0, 0] : 0 },
              emphasis: { disabled: true }, data: line.values,
              label: data.kind === 'bars' && data.lines.length === 1
                ? { show: true, position: 'top', ...font, color: token('--ink'), formatter: point => line.texts[point.dataIndex] }
                : { show: false } };
          }
          // What is not over yet, or only counted in part, is drawn hollow.
          return lineOf(line.name, line.values.map((value, at) => (data.open && at === last || data.cut && at === 0) && !line.previous
              ? { value, symbol: 'emptyCircle', symbolSize: 7 } : value), colour, line.previous);
        }),
      };
    }

    const reportColour = line => token('--series-' + line.slot);

    // Texts below bars get what room there is.
    const barWidth = (count, room) => Math.max(48, Math.floor((room - 60) / Math.max(1, count)) - 8);

    function reportTip(data, at) {
      const [box, add] = tipBox();
      add('b', data.titles[at] + (data.open && at === data.labels.length - 1 ? ' (so far)' : data.cut && at === 0 ? ' (in part)' : ''));
      for (const line of data.lines) {
        if (line.values[at] === null) continue;
        const row = add('p');
        const swatch = add('i', '', row);
        swatch.className = 'swatch';
        swatch.style.background = line.previous && data.kind !== 'lines' ? token('--ink-2') : reportColour(line);
        add('span', line.name, row);
        add('em', line.texts[at], row);
      }
      return box;
    }

    dark.addEventListener('change', () => drawReports(true));
    addEventListener('resize', () => reportCharts.forEach(chart => chart.resize()));

    """#
}
