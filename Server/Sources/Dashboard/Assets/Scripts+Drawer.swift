extension Scripts {
  /// One event in a panel beside the list.
  static let drawer = #"""
    const rowsShown = () => $$('#events > .event');
    let openRow = null;

    async function showEvent(row) {
      const drawer = $('#drawer');
      const address = $('a', row).href;
      busy(1);
      const answer = await fetch(address + '?part=body').catch(() => null);
      busy(-1);
      if (!answer?.ok) { location.assign(address); return; }
      $('#drawer-body').innerHTML = await answer.text();
      $('#drawer-body').scrollTop = 0;
      openRow?.classList.remove('is-open');
      openRow = row;
      row.classList.add('is-open');
      $('#drawer-link').href = address;
      const rows = rowsShown(), at = rows.indexOf(row);
      $('#drawer-newer').disabled = at <= 0;
      $('#drawer-older').disabled = at < 0 || at === rows.length - 1;
      if (!drawer.open) drawer.showModal();
      $('#event-title')?.focus({ preventScroll: true });
    }

    function step(by) {
      const rows = rowsShown(), row = rows[rows.indexOf(openRow) + by];
      if (row) { row.scrollIntoView({ block: 'nearest' }); showEvent(row); }
    }

    document.addEventListener('click', event => {
      const link = event.target.closest('.event > a');
      if (link && $('#drawer') && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
        event.preventDefault();
        showEvent(link.parentElement);
      } else if (event.target.closest('#drawer-close') || event.target.id === 'drawer') {
        $('#drawer').close();
      } else if (event.target.closest('#drawer-newer')) step(-1);
      else if (event.target.closest('#drawer-older')) step(1);
    });
    document.addEventListener('keydown', event => {
      if (!$('#drawer')?.open || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === 'k' || event.key === 'ArrowLeft') step(-1);
      if (event.key === 'j' || event.key === 'ArrowRight') step(1);
    });
    $('#drawer')?.addEventListener('close', () => {
      openRow?.classList.remove('is-open');
      $('a', openRow ?? document)?.focus({ preventScroll: true });
      openRow = null;
    });

    """#
}
