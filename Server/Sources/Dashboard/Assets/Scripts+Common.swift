extension Scripts {
  /// Times, copy buttons, menus, progress.
  static let common = #"""
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
    const grouped = new Intl.NumberFormat('en-US');
    const plural = (count, one, many) => grouped.format(count) + ' ' + (count === 1 ? one : many);
    document.documentElement.classList.toggle('htmx', !!window.htmx);
    document.documentElement.classList.toggle('charts', !!window.echarts);

    // How long ago something was; the server writes the same. The clock of this machine may be
    // wrong, so it is set by what the server wrote when the page came.
    const clockError = Date.now() - document.body.dataset.now;
    const span = s => s < 60 ? s + ' s' : s < 3600 ? Math.floor(s / 60) + ' min'
      : s < 86400 ? Math.floor(s / 3600) + ' h' : Math.floor(s / 86400) + ' d';
    function age(ms, now) {
      const s = Math.floor((now - ms) / 1000);
      if (s < -60) return 'in ' + span(-s);
      if (s < 5) return 'now';
      // Under a minute in steps of five seconds: numbers that tick by the second are restless.
      return s < 60 ? s - s % 5 + ' s ago' : s < 2592000 ? span(s) + ' ago' : null;
    }
    function showAges() {
      const now = Date.now() - clockError;
      for (const time of $$('time[data-ms]')) {
        const text = age(+time.dataset.ms, now);
        if (text && text !== time.textContent) time.textContent = text;
      }
    }
    setInterval(() => document.hidden || showAges(), 5000);

    document.addEventListener('click', async event => {
      const button = event.target.closest('button[data-copy]');
      if (!button) return;
      const source = document.getElementById(button.dataset.copy);
      const label = button.textContent;
      let isDone = true;
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        // No clipboard without TLS on another machine: select the text and copy the old way.
        getSelection().selectAllChildren(source);
        isDone = document.execCommand('copy');
      }
      button.textContent = isDone ? 'Copied' : 'Press Ctrl+C';
      button.classList.toggle('done', isDone);
      setTimeout(() => { button.textContent = label; button.classList.remove('done'); }, 1600);
    });

    // Menus close when something else is used.
    const closeMenus = except => $$('details[data-menu][open]').forEach(menu => {
      if (menu !== except) menu.open = false;
    });
    document.addEventListener('click', event => closeMenus(event.target.closest('details[data-menu]')));
    document.addEventListener('focusin', event => closeMenus(event.target.closest('details[data-menu]')));
    document.addEventListener('keydown', event => {
      const menu = event.key === 'Escape' && $('details[data-menu][open]');
      if (menu) { menu.open = false; $('summary', menu).focus(); }
    });

    // A thin line on top while a part of the page is on its way.
    let busyCount = 0;
    function busy(change) {
      busyCount = Math.max(0, busyCount + change);
      const line = $('.busy');
      if (busyCount && !line) {
        const bar = document.createElement('div');
        bar.className = 'busy';
        document.body.append(bar);
      } else if (!busyCount && line) line.remove();
    }
    addEventListener('htmx:beforeRequest', () => busy(1));
    addEventListener('htmx:afterRequest', () => busy(-1));
    addEventListener('htmx:configRequest', event => {
      const fields = event.detail.parameters, shown = page?.dataset;
      // Return in a field is a change and a submission: the second asks for what is there.
      if (event.detail.elt.id === 'filters' && shown
        && fields.name.trim() === shown.name && fields.person.trim() === shown.person) {
        event.preventDefault();
        return;
      }
      // Empty fields do not belong in an address.
      for (const [name, value] of Object.entries(fields)) if (value === '') delete fields[name];
    });
    // A question's form comes anew with its answer. What was typed since it was sent stays.
    let sent = null, typed = [];
    const asked = () => $$('#ask input:not([type=radio]):not([type=checkbox]):not([type=hidden]), #ask select');
    addEventListener('htmx:beforeRequest', event => {
      if (event.detail.elt.id === 'ask') sent = new Map(asked().map(field => [field.id, field.value]));
    });
    addEventListener('htmx:beforeSwap', event => {
      if (event.detail.target?.id !== 'insight') return;
      // What is wrong with a question is said in its place; the page and where one was in it stay.
      if (event.detail.xhr.status === 422) { event.detail.shouldSwap = true; event.detail.isError = false; }
      typed = sent ? asked().filter(field => sent.get(field.id) !== field.value).map(field => [field.id, field.value]) : [];
    });
    // A place on the page that came only with an answer which was waited for.
    let sought = location.hash.slice(1);
    addEventListener('htmx:afterSwap', () => {
      const place = sought && document.getElementById(sought);
      if (place) { sought = ''; place.scrollIntoView(); place.focus({ preventScroll: true }); }
      for (const [id, value] of typed) if (document.getElementById(id)) document.getElementById(id).value = value;
      typed = [];
    });
    // A date that is typed is one only when it is left: the first digits of its year are a year, too.
    document.addEventListener('change', event => {
      if (event.target.type !== 'date' || !event.target.closest('#ask')) return;
      event.stopPropagation();
      event.target.dataset.typed = '';
    }, true);
    document.addEventListener('focusout', event => {
      const form = event.target.closest?.('#ask');
      if (!form || event.target.dataset.typed === undefined) return;
      delete event.target.dataset.typed;
      if (!event.target.value || event.target.value >= '1971') form.requestSubmit();
    });
    addEventListener('htmx:responseError', event => {
      if (event.detail.xhr.status !== 401) location.assign(event.detail.pathInfo.finalRequestPath);
    });
    // Where the address changes, the whole page can be loaded by it: do that when a part failed.
    addEventListener('htmx:sendError', () => setStatus('lost', 'No connection to the server'));

    // Event names are fetched when someone is about to type one.
    document.addEventListener('focusin', async event => {
      const list = event.target.getAttribute?.('list') === 'names' && $('#names');
      if (!list || list.childElementCount) return;
      const answer = await fetch(list.dataset.source).catch(() => null);
      if (answer?.ok) list.innerHTML = await answer.text();
    });

    """#
}
