// The list of classes: found by name, narrowed and sorted. What is asked stands in the address after `#`, so that a link
// keeps it. Without scripts the list is whole, and sorted as it is written.
(function () {
  'use strict';
  var list = document.getElementById('classes');
  if (!list) return;
  var form = document.getElementById('choose');
  var said = document.getElementById('shown');
  var rows = Array.prototype.slice.call(list.tBodies[0].rows);
  var number = function (row, name) { return Number(row.dataset[name]); };
  var keeps = {
    all: function () { return true; },
    left: function (row) { return number(row, 'left') > 0; },
    gained: function (row) { return number(row, 'gained') > 0; },
    faults: function (row) { return number(row, 'faults') > 0; },
    untested: function (row) { return number(row, 'tests') === 0; },
    findings: function (row) { return number(row, 'findings') > 0; }
  };
  var most = function (name) { return function (a, b) { return number(b, name) - number(a, name); }; };
  var orders = {
    left: most('left'),
    gained: most('gained'),
    faults: most('faults'),
    tests: most('tests'),
    name: function () { return 0; }
  };
  var byName = function (a, b) { return a.dataset.name < b.dataset.name ? -1 : 1; };

  function show() {
    var text = form.text.value.trim().toLowerCase();
    var keep = keeps[form.keep.value];
    var order = orders[form.order.value];
    var shown = 0;
    rows.sort(function (a, b) { return order(a, b) || byName(a, b); });
    rows.forEach(function (row) {
      var fits = keep(row) && row.dataset.name.toLowerCase().indexOf(text) >= 0;
      row.hidden = !fits;
      if (fits) shown += 1;
      list.tBodies[0].appendChild(row);
    });
    said.textContent = shown === rows.length ? rows.length + ' classes' : shown + ' of ' + rows.length + ' classes';
  }

  function read() {
    var asked = new URLSearchParams(location.hash.slice(1));
    form.text.value = asked.get('text') || '';
    form.keep.value = asked.get('keep') in keeps ? asked.get('keep') : 'all';
    form.order.value = asked.get('order') in orders ? asked.get('order') : 'left';
    show();
  }

  form.addEventListener('input', function () {
    history.replaceState(null, '', '#' + new URLSearchParams(new FormData(form)).toString());
    show();
  });
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  window.addEventListener('hashchange', read);
  form.hidden = false;
  read();
})();
