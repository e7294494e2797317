/** Runs in the browser, beside Scalar: mends what none of its settings reaches, wherever and whenever it is drawn. */
const FIRST_OF_JOKE = 'QUxMIFlPVVIg';

function mendReference() {
  for (const field of document.querySelectorAll(`input[placeholder^="${FIRST_OF_JOKE}"]`)) {
    field.placeholder = 'The token that ObtainToken returned';
  }
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label])')) button.ariaLabel = 'Copy';
  // It shows the rest of the documented fields: "additional properties" means something else in OpenAPI.
  for (const { firstChild: label } of document.querySelectorAll('.additional-toggle--tree span')) {
    if (label?.data?.startsWith('Show additional properties')) label.data = 'Show all fields ';
  }
  // A box that scrolls has to be reached with the keyboard.
  for (const code of document.querySelectorAll('.markdown pre > code:not([tabindex])')) code.tabIndex = 0;
  for (const table of document.querySelectorAll('.markdown table:not([data-mended])')) mendTable(table);
}

/** Each cell knows its column, for phones; long codes may break behind an underscore. */
function mendTable(table) {
  table.dataset.mended = '';
  const columns = [...table.querySelectorAll('th')].map((head) => head.textContent);
  for (const row of table.querySelectorAll('tbody tr')) {
    for (const [index, cell] of [...row.cells].entries()) cell.dataset.column = columns[index];
  }
  for (const code of table.querySelectorAll('td code')) code.innerHTML = code.innerHTML.replaceAll('_', '_<wbr>');
}

addEventListener('DOMContentLoaded', () => {
  new MutationObserver(mendReference).observe(document.body, { childList: true, subtree: true });
});
