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
        chart.setOption(reportOption(data, box.clientWidth), { notMerge: true });
      }
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
      chart.setOption({ ...reportOption(data, width), animation: false,
        title: { text: button.dataset.title, left: 14, top: 12, textStyle: { ...font, fontSize: 18 } },
        legend: { show: many, left: 14, bottom: 8, type: 'plain', icon: 'roundRect',
          textStyle: { ...font, color: token('--ink-2') } },
        grid: { left: 14, right: 22, top: 58, bottom: many ? 52 : 14, containLabel: true } });
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
      return {
        animation: !calm.matches, animationDuration: 250, animationDurationUpdate: 250,
        aria: { enabled: false },
        grid: { left: 6, right: 12, top: 12, bottom: 4, containLabel: true },
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
          const colour = token('--series-' + line.slot);
          if (!isLine) {
            return { name: line.name, type: 'bar', stack: data.kind === 'stack' ? 'all' : undefined,
              barMaxWidth: data.kind === 'bars' ? 120 : 30, barCategoryGap: data.kind === 'bars' ? '30%' : '22%',
              itemStyle: { color: colour, borderRadius: data.kind === 'bars' ? [4, 4, 0, 0] : 0 },
              emphasis: { disabled: true }, data: line.values,
              label: data.kind === 'bars' && data.lines.length === 1
                ? { show: true, position: 'top', ...font, color: token('--ink'), formatter: point => line.texts[point.dataIndex] }
                : { show: false } };
          }
          return { name: line.name, type: 'line', symbol: 'circle', symbolSize: few ? 5 : 0, showSymbol: few,
            lineStyle: { width: 2, color: colour, type: line.previous ? 'dashed' : 'solid', opacity: line.previous ? 0.6 : 1 },
            itemStyle: { color: colour, opacity: line.previous ? 0.6 : 1 }, emphasis: { disabled: true },
            connectNulls: false,
            // What is not over yet is drawn hollow.
            data: line.values.map((value, at) => data.open && at === last && !line.previous
              ? { value, symbol: 'emptyCircle', symbolSize: 7 } : value) };
        }),
      };
    }

    // Texts below bars get what room there is.
    const barWidth = (count, room) => Math.max(48, Math.floor((room - 60) / Math.max(1, count)) - 8);

    function reportTip(data, at) {
      const [box, add] = tipBox();
      add('b', data.titles[at] + (data.open && at === data.labels.length - 1 ? ' (so far)' : ''));
      for (const line of data.lines) {
        if (line.values[at] === null) continue;
        const row = add('p');
        const swatch = add('i', '', row);
        swatch.className = 'swatch';
        swatch.style.background = token('--series-' + line.slot);
        add('span', line.name, row);
        add('em', line.texts[at], row);
      }
      return box;
    }

    dark.addEventListener('change', () => drawReports(true));
    addEventListener('resize', () => reportCharts.forEach(chart => chart.resize()));

    """#
}
