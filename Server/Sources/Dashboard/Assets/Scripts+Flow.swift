extension Scripts {
  /// Charts of paths and of the hours of a week.
  static let flow = #"""
    // What flows where, column by column; a name has one colour in all columns. What goes no further, or
    // came from nowhere, flows into or out of a hatched end of its column.
    function flowOption(data, room) {
      const font = { fontFamily: token('--sans'), fontSize: 12, color: token('--ink') };
      const names = [], nodes = new Map(), links = [], others = '(all others)';
      const key = (step, name, isEnd) => step + (isEnd ? '\f' : '\n') + name;
      const node = (step, name, isEnd) => {
        if (!isEnd && name !== others && !names.includes(name)) names.push(name);
        // No colour stands for two names: from the ninth on they are grey, with their names beside them.
        const slot = names.indexOf(name) + 1;
        const colour = isEnd ? hatch(token('--series-other'))
          : token(name === others || slot > 8 ? '--series-other' : '--series-' + slot);
        nodes.set(key(step, name, isEnd), { name: key(step, name, isEnd), depth: step, isEnd,
          itemStyle: { color: colour, borderWidth: isEnd ? 1 : 0, borderColor: token('--series-other') } });
        return key(step, name, isEnd);
      };
      for (const flow of data.flows) {
        links.push({ source: node(flow.step, flow.from), target: node(flow.step + 1, flow.to), value: flow.count });
      }
      const isTo = data.ends.some(end => end.isFirst);
      for (const end of data.ends) {
        if (!end.count || !nodes.has(key(end.step, end.name)) && end.step > 0 && !isTo) continue;
        const here = node(end.step, end.name), there = node(end.step + (isTo ? -1 : 1), data.endName, true);
        const [source, target] = isTo ? [there, here] : [here, there];
        links.push({ source, target, value: end.count, isEnd: true,
          lineStyle: { color: token('--series-other'), opacity: dark.matches ? .3 : .22 } });
      }
      const first = Math.min(0, ...[...nodes.values()].map(node => node.depth));
      for (const node of nodes.values()) node.depth -= first;
      const last = Math.max(0, ...[...nodes.values()].map(node => node.depth));
      const plain = text => text.slice(text.search(/[\n\f]/) + 1);
      const total = links.filter(link => nodes.get(isTo ? link.target : link.source).depth === (isTo ? last : 0))
        .reduce((sum, link) => sum + link.value, 0);
      const share = count => count.toLocaleString('en-US') + (count === 1 ? ' path, ' : ' paths, ')
        + Math.round(count / total * 1000) / 10 + ' % of all';
      // No longer than up to the next column. The names of the last column stand beside the chart, so that
      // those of the column before it have all that is between them.
      const beside = Math.min(150, Math.max(96, room / (last + 2)));
      const gap = (room - beside - 8) / Math.max(1, last) - 22;
      const labelWidth = depth => Math.max(48, depth === last ? beside - 8 : Math.min(170, gap));
      return {
        animation: !calm.matches, animationDuration: 250, aria: { enabled: false },
        tooltip: { ...tooltip('none', () => null), trigger: 'item', formatter: at => {
          const [box, add] = tipBox();
          add('b', at.dataType === 'edge' ? plain(at.data.source) + ' → ' + plain(at.data.target) : plain(at.name));
          add('p', share(at.dataType === 'edge' ? at.data.value : at.value));
          return box;
        } },
        series: [{ type: 'sankey', left: 4, right: last > 0 ? beside : 4, top: 8, bottom: 8, nodeWidth: 12, nodeGap: 14,
          draggable: false, layoutIterations: 24, emphasis: { focus: 'adjacency' },
          data: [...nodes.values()].map(node => ({ ...node,
            label: { color: token(node.isEnd ? '--ink-2' : '--ink'), width: labelWidth(node.depth), position: 'right' } })),
          links, lineStyle: { color: 'source', opacity: dark.matches ? 0.35 : 0.25, curveness: 0.5 },
          label: { ...font, overflow: 'truncate', formatter: at => plain(at.name) } }],
      };
    }

    // Days below each other, hours beside each other, the more the darker.
    function heatOption(data) {
      const font = { fontFamily: token('--sans'), fontSize: 12, color: token('--ink-3') };
      const rows = data.lines.length, most = Math.max(1, reach(data.lines)[1]);
      const axis = { type: 'category', axisTick: { show: false }, axisLine: { show: false }, splitArea: { show: false } };
      return {
        animation: false, aria: { enabled: false },
        grid: { left: 6, right: 12, top: 6, bottom: 46, containLabel: true },
        xAxis: { ...axis, data: data.labels, axisLabel: { ...font, hideOverlap: true, margin: 8 } },
        yAxis: { ...axis, inverse: true, data: data.lines.map(line => line.name), axisLabel: { ...font, interval: 0 } },
        visualMap: { type: 'continuous', min: 0, max: most, orient: 'horizontal', left: 'center', bottom: 4,
          itemWidth: 10, itemHeight: 140, text: [grouped.format(most), '0'], textStyle: font, hoverLink: false,
          inRange: { color: [token('--heat-0'), token('--heat-1'), token('--heat-2')] } },
        tooltip: { ...tooltip('none', () => null), trigger: 'item', formatter: point => {
          const [hour, day] = point.value, line = data.lines[day];
          const [box, add] = tipBox();
          add('b', line.name + ', ' + data.labels[hour] + ':00 to ' + data.labels[hour] + ':59');
          add('p', line.texts[hour] + ' ' + data.what);
          return box;
        } },
        series: [{ type: 'heatmap', itemStyle: { borderColor: token('--card'), borderWidth: rows > 1 ? 2 : 0, borderRadius: 3 },
          emphasis: { itemStyle: { borderColor: token('--ink') } },
          data: data.lines.flatMap((line, day) => line.values.map((value, hour) => [hour, day, value ?? 0])) }],
      };
    }

    """#
}
