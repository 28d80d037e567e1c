extension Scripts {
  /// Sends a file piece by piece before its form goes, and shows how far it is.
  static let upload = #"""
    document.addEventListener('submit', async event => {
      const form = event.target.closest('form[data-upload]');
      const file = form && $('input[type=file]', form)?.files[0];
      if (!file || form.elements.upload.value) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const button = $('button[type=submit]', form), status = $('[role=status]', form);
      button.disabled = true;
      const token = form.elements.form_token.value, piece = 8 << 20;
      let sent = 0, id = '';
      try {
        do {
          status.textContent = 'Sending … ' + Math.floor(100 * sent / Math.max(1, file.size)) + ' %';
          const where = form.dataset.upload + '?offset=' + sent + (id ? '&upload=' + id : '');
          const answer = await fetch(where, {
            method: 'POST', body: file.slice(sent, sent + piece),
            headers: {'X-Form-Token': token, 'Content-Type': 'application/octet-stream'},
          });
          if (!answer.ok) throw new Error(await answer.text());
          const told = await answer.json();
          id = told.upload;
          sent = told.bytes;
        } while (sent < file.size);
        form.elements.upload.value = id;
        form.elements.file_name.value = file.name;
        status.textContent = 'Sent.';
        form.submit();
      } catch (error) {
        status.textContent = 'It was not sent: ' + (error.message.trim() || 'no connection');
      }
      button.disabled = false;
    }, true);
    // A file's name tells what it is, most often.
    document.addEventListener('change', event => {
      const form = event.target.closest?.('form[data-upload]');
      if (!form || event.target.type !== 'file') return;
      const name = (event.target.files[0]?.name ?? '').replace(/\.gz$/, '');
      const forms = {csv: 'csv', parquet: 'parquet', zip: 'amplitude'};
      form.elements.format.value = forms[name.split('.').pop()] ?? 'ndjson';
      form.elements.upload.value = '';
    });

    """#
}
