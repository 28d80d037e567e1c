extension Scripts {
  /// Events as they arrive.
  static let live = #"""
    const listLimit = 200;
    let page = null;      // the #live element that is served
    let source = null;    // its EventSource
    let waiting = [];     // rows not shown yet, newest first
    let waitingCount = 0; // how many events they stand for
    let isPaused = false, pointerAt = 0, retryTimer = 0, announcedAt = 0, arrivedCount = 0;

    function setStatus(state, text) {
      const status = $('#status');
      if (!status) return;
      status.dataset.state = state;
      if ($('#status-text').textContent !== text) $('#status-text').textContent = text;
    }

    function openLive() {
      const found = $('#live');
      if (!found || found === page) return;
      page = found;
      waiting = []; waitingCount = 0; isPaused = false;
      showAges();
      fillFilters();
      drawChart();
      if (page.hasAttribute('data-past')) { closeStream(); return; }
      const pause = $('#pause');
      if (pause) pause.hidden = false;
      openStream();
    }

    // The filters say what is shown, also when a name in the chart was clicked.
    function fillFilters() {
      for (const field of $$('#filters input')) {
        const value = page.dataset[field.name];
        if (field !== document.activeElement) field.value = value === '1h' ? '' : value;
      }
    }

    // Before another question's page takes its place: nothing may be added to that one.
    function closeLive() {
      closeStream();
      page = null;
    }

    function closeStream() {
      source?.close();
      source = null;
      clearTimeout(retryTimer);
    }

    function openStream() {
      closeStream();
      setStatus('off', 'Connecting…');
      source = new EventSource(page.dataset.stream);
      source.addEventListener('ready', () => {
        showState();
        catchUp();
      });
      source.addEventListener('events', event => {
        const message = JSON.parse(event.data);
        arrive(rowsOf(message.rows), message.count, message.skipped);
      });
      source.addEventListener('error', () => {
        setStatus('lost', 'Connection lost, trying again…');
        if (source?.readyState !== EventSource.CLOSED) return;
        clearTimeout(retryTimer);
        retryTimer = setTimeout(checkAndReopen, 3000);
      });
    }

    // The browser gave up, so the server answered with an error: a new page tells whether we are
    // still signed in.
    async function checkAndReopen() {
      const served = page;
      const answer = await fetch(served.dataset.rows).catch(() => null);
      if (answer?.status === 401) location.reload(); else if (served === page) openStream();
    }

    function showState() {
      if (isPaused) setStatus('off', 'Paused');
      else setStatus('live', 'Connected');
    }

    const rowsOf = markup => {
      const template = document.createElement('template');
      template.innerHTML = markup;
      return $$('.event', template.content);
    };

    // What came between the page and the stream, or while the connection was lost.
    async function catchUp() {
      const served = page;
      const answer = await fetch(served.dataset.rows).catch(() => null);
      if (!answer?.ok) return;
      const rows = rowsOf(await answer.text());
      if (rows.length && served === page) arrive(rows, 0, 0);
    }

    function arrive(rows, count, skipped) {
      if (!page) return;
      if (page.hasAttribute('data-empty')) { location.reload(); return; }
      const known = new Set([...waiting, ...rowsShown()].map(row => row.dataset.key));
      const fresh = rows.filter(row => !known.has(row.dataset.key));
      if (!fresh.length && !skipped) return;
      const total = count ? Math.max(fresh.length, count) : fresh.length;
      waiting = [...fresh, ...waiting].slice(0, listLimit);
      waitingCount += total;
      arrivedCount += total;
      if (!isHeld()) showWaiting();
      showPill();
      announce(fresh[0]);
      numbersSoon();
    }

    // New rows would push away what someone is about to click, is reading, or has stopped.
    function isHeld() {
      if (isPaused) return true;
      if (Date.now() - pointerAt < 2500) return true;
      if ($('#events')?.contains(document.activeElement)
        && document.activeElement.matches(':focus-visible') && !$('#drawer')?.open) return true;
      const wrap = $('.list-wrap');
      return wrap.getBoundingClientRect().top < 0;
    }

    function showWaiting() {
      const list = $('#events');
      if (!waiting.length || !list) return;
      $('#nothing')?.remove();
      const isFlood = waiting.length > 20;
      for (const row of waiting) if (!isFlood) row.classList.add('fresh');
      list.prepend(...waiting);
      waiting = []; waitingCount = 0;
      const rows = rowsShown();
      const older = $('.older', list);
      if (rows.length > listLimit && older) {
        // The list stays bounded; what falls off is reached by “Older events” again.
        const excess = rows.slice(listLimit);
        if (!excess.includes(openRow)) {
          excess.forEach(row => row.remove());
          olderFrom(older);
        }
      }
      colourRows();
      showAges();
    }

    // Rows were cut: the next page begins after the last one that is left.
    function olderFrom(item) {
      const link = $('a', item), place = rowsShown().at(-1)?.dataset.place;
      if (!link || !place) return;
      for (const name of ['href', 'hx-get']) {
        const address = new URL(link.getAttribute(name), location.href);
        address.searchParams.set('before', place);
        link.setAttribute(name, address.pathname + address.search);
      }
    }

    function showPill() {
      const pill = $('#fresh');
      if (!pill) return;
      pill.hidden = !waitingCount;
      if (waitingCount) pill.textContent = plural(waitingCount, 'new event', 'new events');
    }

    // Spoken at most every half minute, and never a list of names.
    function announce(row) {
      const now = Date.now();
      if (!row || now - announcedAt < 30000) return;
      announcedAt = now;
      $('#announce').textContent = plural(arrivedCount, 'new event', 'new events')
        + ', the latest is ' + (row.dataset.name || 'without a name');
      arrivedCount = 0;
    }

    setInterval(() => {
      if (waiting.length && !document.hidden && !isHeld()) { showWaiting(); showPill(); }
    }, 500);
    document.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch' && event.target.closest?.('#events')) pointerAt = Date.now();
    }, { passive: true });
    document.addEventListener('click', event => {
      if (event.target.closest('#fresh')) {
        const wrap = $('.list-card');
        if (wrap.getBoundingClientRect().top < 0) {
          wrap.scrollIntoView({ behavior: calm.matches ? 'auto' : 'smooth', block: 'start' });
        }
        showWaiting(); showPill();
      } else if (event.target.closest('#pause')) {
        isPaused = !isPaused;
        const button = $('#pause');
        button.setAttribute('aria-pressed', isPaused);
        $('span', button).textContent = isPaused ? 'Resume' : 'Pause';
        if (source?.readyState === EventSource.OPEN) showState();
        if (!isPaused) { showWaiting(); showPill(); }
      }
    });

    // A page nobody looks at holds no connection: browsers allow six per server.
    let hiddenTimer = 0;
    document.addEventListener('visibilitychange', () => {
      clearTimeout(hiddenTimer);
      if (!page || page.hasAttribute('data-past')) return;
      if (document.hidden) hiddenTimer = setTimeout(closeStream, 30000);
      else {
        if (!source) openStream();
        numbersSoon();
      }
    });

    // The counters and the chart follow: a few seconds after events came, and every minute.
    let numbersTimer = 0, numbersAt = 0;
    function numbersSoon() {
      if (numbersTimer || !page || page.hasAttribute('data-empty')) return;
      const pause = page.dataset.range === '1h' ? 4000 : 60000;
      const wait = Math.max(400, numbersAt + pause - Date.now());
      numbersTimer = setTimeout(async () => {
        numbersTimer = 0;
        numbersAt = Date.now();
        if (!document.hidden) await refreshNumbers();
      }, wait);
    }
    setInterval(numbersSoon, 60000);

    async function refreshNumbers() {
      const served = page;
      const answer = await fetch(served.dataset.numbers).catch(() => null);
      if (!answer?.ok || served !== page) return;
      const template = document.createElement('template');
      template.innerHTML = await answer.text();
      for (const id of ['counters', 'series', 'series-table']) {
        const old = document.getElementById(id), next = template.content.getElementById(id);
        if (!old || !next) continue;
        if (id === 'series') old.dataset.series = next.dataset.series;
        // Replacing what did not change would lose focus and selection in it.
        if (old.served === next.innerHTML || old.contains(document.activeElement)) continue;
        old.innerHTML = old.served = next.innerHTML;
        window.htmx?.process(old);
      }
      drawChart();
    }

    """#
}
