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
        box.classList.toggle('report-flow', data.kind === 'flow');
        box.classList.toggle('report-bars', data.kind === 'bars');
        // A column of paths needs room for its names; what is wider than the page is scrolled sideways.
        if (data.kind === 'flow') box.style.minWidth = 120 * (2 + Math.max(0, ...data.flows.map(flow => Math.abs(flow.step)))) + 60 + 'px';
        const chart = reportCharts.get(box) ?? echarts.init(box, null, { renderer: 'canvas' });
        reportCharts.set(box, chart);
        chart.setOption(drawable(optionOf(data, box.clientWidth)), { notMerge: true });
      }
    }

    const optionOf = (data, width) => data.kind === 'flow' ? flowOption(data, width)
      : data.kind === 'heat' ? heatOption(data) : reportOption(data, width);

    // A picture of a chart with its title and what its lines are, twice as fine as a screen.
    document.addEventListener('click', event => {
      const button = event.target.closest('button[data-png]');
      const box = button && document.getElementById(button.dataset.png);
      if (!box || !window.echarts) return;
      const data = JSON.parse(box.dataset.chart), width = 1000;
      const font = { fontFamily: token('--sans'), color: token('--ink') };
      const chart = echarts.init(document.createElement('div'), null, { renderer: 'canvas', width, height: 480 });
      const option = optionOf(data, width), named = data.lines.length > 1 && data.kind !== 'heat';
      const notes = [button.dataset.subject, data.axis, ...data.notes].filter(Boolean).join(' · ');
      chart.setOption(drawable({ ...option, animation: false,
        title: { text: button.dataset.title, subtext: notes, left: 14, top: 12,
          textStyle: { ...font, fontSize: 18 },
          subtextStyle: { ...font, fontSize: 12, color: token('--ink-2'), width: width - 28, overflow: 'truncate' } },
        legend: { show: named, left: 14, bottom: 8, type: 'plain', icon: 'roundRect',
          data: data.lines.map(line => line.name), textStyle: { ...font, color: token('--ink-2') } },
        ...(option.grid ? { grid: { ...option.grid, left: 14, right: 22, top: 74,
          bottom: named ? 52 : option.grid.bottom + 10 } }
          : { series: option.series.map(series => ({ ...series, left: 14, right: 14, top: 74, bottom: 14 })) }) }));
      const link = document.createElement('a');
      link.href = chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: token('--card') });
      link.download = button.dataset.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase() + '.png';
      link.click();
      chart.dispose();
    });

    const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
    function axisText(unit, value) {
      if (unit === 'share') return Math.round(value * 1000) / 10 + ' %';
      if (unit === 'duration') return value && value < 1000 ? value + ' ms' : span(Math.round(value / 1000));
      return short.format(value);
    }

    function reportOption(data, room) {
      const ink = token('--ink-3'), last = data.labels.length - 1;
      const font = { fontFamily: token('--sans'), fontSize: 12, color: ink };
      const isLine = data.kind === 'lines', isBars = data.kind === 'bars';
      const few = data.labels.length < 40;
      // What is not over yet, or only counted in part, is hatched or dashed.
      const isPart = at => (data.open || data.ends) && at === last || data.cut && at === 0;
      // A label is centred below its place: the last one of lines needs half its width beside the chart.
      const beside = isLine ? Math.min(60, Math.max(12, Math.ceil(String(data.labels[last] ?? '').length * 3.6))) : 12;
      const lineOf = (name, values, colour, dash) => ({ name, type: 'line', z: 3, symbol: 'circle',
        symbolSize: few ? 5 : 0, showSymbol: few, connectNulls: false, emphasis: { disabled: true },
        lineStyle: { width: 2, color: colour, type: dash ?? 'solid' }, itemStyle: { color: colour }, data: values });
      // Colours begin anew with the ninth line, which is drawn in another way.
      const dots = [2, 3], dashes = [6, 4], second = [14, 3, 3, 3];
      // A line without its parts, and the parts with what they lead to.
      const pieces = (line, colour) => {
        if (line.previous) return [lineOf(line.name, line.values, colour, dots)];
        const look = line.second ? second : undefined;
        if (!line.values.some((_, at) => isPart(at))) return [lineOf(line.name, line.values, colour, look)];
        const whole = line.values.map((value, at) => isPart(at) ? null : value);
        const part = line.values.map((value, at) => isPart(at)
          ? { value, symbolSize: 7, itemStyle: { color: token('--card'), borderColor: colour, borderWidth: 2 } }
          : isPart(at - 1) || isPart(at + 1) ? { value, symbol: 'none' } : null);
        return [lineOf(line.name, whole, colour, look), { ...lineOf(line.name + ' ', part, colour, dashes), showSymbol: true }];
      };
      const bars = data.lines.filter(line => !line.previous);
      const ends = (data.kind === 'stack' ? [stackReach(bars), reach(data.lines.filter(line => line.previous))]
        : [reach(data.lines)]).reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)]);
      if (isBars && data.unit === 'share') ends[1] = 1;
      return {
        animation: !calm.matches, animationDuration: 250, animationDurationUpdate: 250,
        aria: { enabled: false },
        grid: { left: 6, right: beside, top: isBars ? 24 : 12, bottom: 4, containLabel: true },
        xAxis: { type: 'category', data: data.labels, boundaryGap: !isLine, axisTick: { show: false },
          axisLine: { lineStyle: { color: token('--line-2') } },
          axisLabel: { ...font, hideOverlap: !isBars, margin: 10,
            ...(isBars ? { interval: 0, width: barWidth(data.labels.length, room), overflow: 'break', lineHeight: 15,
              formatter: text => text.length > 60 ? text.slice(0, 59) + '…' : text } : {}) } },
        yAxis: { type: 'value', ...axisScale(data.unit, ...ends),
          splitLine: { lineStyle: { color: token('--line') } },
          axisLabel: { ...font, formatter: value => axisText(data.unit, value) } },
        tooltip: tooltip(isLine ? 'line' : 'shadow', at => reportTip(data, at)),
        series: data.lines.flatMap(line => {
          const colour = reportColour(line);
          // The period before is a line beside bars, never a part of what they add up to.
          if (!isLine && line.previous) return [lineOf(line.name, line.values, token('--ink-2'), dots)];
          if (isLine) return pieces(line, colour);
          return [{ name: line.name, type: 'bar', stack: data.kind === 'stack' ? 'all' : undefined,
            barMaxWidth: isBars ? 120 : 30, barCategoryGap: isBars ? '30%' : '22%',
            itemStyle: { color: line.second ? dotted(colour) : colour, borderRadius: isBars ? [4, 4, 0, 0] : 0 },
            emphasis: { disabled: true },
            data: line.values.map((value, at) => isPart(at) && value ? hatched(value, colour) : value),
            label: isBars && data.lines.length === 1
              ? { show: true, position: 'top', ...font, color: token('--ink'), formatter: point => line.texts[point.dataIndex] }
              : { show: false } }];
        }),
      };
    }

    const reportColour = line => token('--series-' + line.slot);

    // Texts below bars get what room there is.
    const barWidth = (count, room) => Math.max(44, Math.floor((room - 60) / Math.max(1, count)) - 8);

    function reportTip(data, at) {
      const [box, add] = tipBox();
      const isLast = at === data.labels.length - 1;
      add('b', data.titles[at] + (data.open && isLast ? ' (so far)' : data.cut && at === 0 || data.ends && isLast ? ' (in part)' : ''));
      for (const line of data.lines) {
        if (line.values[at] === null) continue;
        const row = add('p');
        const swatch = add('i', '', row);
        swatch.className = 'swatch';
        if (line.second) swatch.classList.add('swatch-second');
        swatch.style.background = line.previous && data.kind !== 'lines' ? token('--ink-2') : reportColour(line);
        add('span', line.name, row);
        add('em', line.texts[at], row);
      }
      return box;
    }

    dark.addEventListener('change', () => drawReports(true));
    addEventListener('resize', () => reportCharts.forEach(chart => chart.resize()));

    // On paper: light colours, as wide as the sheet, every table behind a chart open.
    let opened = [];
    function printing(isOn) {
      const root = document.documentElement.classList;
      if (root.contains('printing') === isOn) return;
      root.toggle('printing', isOn);
      if (isOn) opened = $$('main .table-toggle:not([open])');
      for (const details of opened) details.open = isOn;
      const all = [...reportCharts.values(), ...(chart ? [chart] : [])];
      drawReports(true);
      drawChart();
      for (const one of all) {
        one.setOption({ animation: false });
        one.resize({ width: isOn ? 650 : 'auto' });
      }
    }
    addEventListener('beforeprint', () => printing(true));
    addEventListener('afterprint', () => printing(false));

    """#
}
