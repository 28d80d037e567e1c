extension Scripts {
  /// What all charts share: how texts reach the chart library, round steps along axes, and hatching for what is
  /// not whole.
  static let axis = #"""
    // The chart library keeps what it knows of texts in plain objects, by the texts. One that every object has from the
    // start, such as __proto__, would be taken for something that it kept, and be written to: wherever it stands in a
    // text, an unseen character makes it another one.
    const inherited = new RegExp(Object.getOwnPropertyNames(Object.prototype).join('|'), 'g');
    const drawableText = text => text.replace(inherited, name => name[0] + '\u2060' + name.slice(1));
    // What the library is told, with all texts in it, and those that its functions give, made so. Every option goes
    // through here.
    function drawable(value) {
      if (typeof value === 'string') return drawableText(value);
      if (typeof value === 'function') {
        return (...given) => {
          const answer = value(...given);
          return typeof answer === 'string' ? drawableText(answer) : answer;
        };
      }
      if (Array.isArray(value)) return value.map(drawable);
      if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, drawable(part)]));
    }

    // The steps that people count shares and lengths of time in; of other numbers 1, 2 and 5.
    const axisSteps = {
      share: [.001, .002, .005, .01, .02, .05, .1, .2, .25],
      duration: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5,
        9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5],
    };
    const roundStep = wanted => {
      const power = 10 ** Math.floor(Math.log10(wanted));
      return [1, 2, 5, 10].map(step => step * power).find(step => step >= wanted * .999);
    };
    // Four steps at most, so that every tick has room and a round number.
    function axisScale(unit, low, high) {
      low = Math.min(0, low); high = Math.max(0, high);
      const wanted = (high - low || 1) / 4, day = 864e5;
      let step = axisSteps[unit]?.find(step => step >= wanted * .999)
        ?? (unit === 'duration' ? roundStep(wanted / day) * day : roundStep(wanted));
      if (unit === 'count') step = Math.max(1, step);
      const upTo = value => Math.ceil(value / step - 1e-9) * step;
      return { min: -upTo(-low) || 0, max: Math.max(upTo(high), low < 0 ? 0 : step), interval: step };
    }
    const reach = lines => {
      const values = lines.flatMap(line => line.values ?? line.counts).filter(value => value !== null);
      return [Math.min(0, ...values), Math.max(0, ...values)];
    };
    // The same of bars that stand on each other.
    function stackReach(lines) {
      const sums = (lines[0]?.values ?? lines[0]?.counts ?? []).map((_, at) => {
        const values = lines.map(line => (line.values ?? line.counts)[at] ?? 0);
        return [values.filter(value => value < 0), values.filter(value => value > 0)]
          .map(some => some.reduce((sum, value) => sum + value, 0));
      });
      return [Math.min(0, ...sums.map(sum => sum[0])), Math.max(0, ...sums.map(sum => sum[1]))];
    }

    // Stripes of a colour on the card: what is not over yet, or only counted in part.
    const hatches = new Map();
    function hatch(colour) {
      const key = 'hatch' + colour + token('--card');
      if (hatches.has(key)) return hatches.get(key);
      const canvas = document.createElement('canvas'), size = 8;
      canvas.width = canvas.height = size;
      const pen = canvas.getContext('2d');
      pen.fillStyle = token('--card');
      pen.fillRect(0, 0, size, size);
      pen.strokeStyle = colour;
      pen.lineWidth = 2.6;
      pen.beginPath();
      for (const shift of [-size, 0, size]) { pen.moveTo(shift - 2, size + 2); pen.lineTo(shift + size + 2, -2); }
      pen.stroke();
      const pattern = { image: canvas, repeat: 'repeat' };
      hatches.set(key, pattern);
      return pattern;
    }
    // A colour with holes, as the ninth series and later ones have it, which begin anew with the colours.
    function dotted(colour) {
      const key = 'dots' + colour + token('--card');
      if (hatches.has(key)) return hatches.get(key);
      const canvas = document.createElement('canvas'), size = 7;
      canvas.width = canvas.height = size;
      const pen = canvas.getContext('2d');
      pen.fillStyle = colour;
      pen.fillRect(0, 0, size, size);
      pen.fillStyle = token('--card');
      pen.beginPath();
      pen.arc(size / 2, size / 2, 1.7, 0, 7);
      pen.fill();
      const pattern = { image: canvas, repeat: 'repeat' };
      hatches.set(key, pattern);
      return pattern;
    }
    const hatched = (value, colour) =>
      ({ value, itemStyle: { color: hatch(colour), borderColor: colour, borderWidth: 1 } });

    """#
}
