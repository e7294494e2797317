/** A note that is pinned until May. */
export const exampleNote = {
  body: 'Customer asked for a paper bill; agreed to switch on 1 May.',
  created_at: '2025-11-20T10:15:00Z',
  is_pinned: true,
  unpin_at: '2026-05-01T00:00:00Z',
};

/** A note without text. */
export const exampleDocument = { document_paths: [{ document_path: 'letters/2025/NW-0001482.pdf' }] };

export const chargeAndPayment = [
  {
    transaction_id: 'T-20260405-77',
    transaction_date: '2026-04-05',
    type: 'CHARGE',
    amount: 76.54,
    reason: 'IMPORTED_CHARGE',
    display_note: 'Adjustment for March',
  },
  {
    transaction_id: 'T-20260407-12',
    transaction_date: '2026-04-07',
    type: 'PAYMENT',
    amount: 50,
    reference: 'NW 0001482',
    payment_type: 'DD_REGULAR_COLLECTION',
  },
];

export const supplyCharge = {
  transaction_id: 'T-20260401-03',
  transaction_date: '2026-04-01',
  type: 'SUPPLY_CHARGE',
  amount: 80.37,
  product_code: 'E-1R-FIX-24M-A',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2026-03-01',
      end_date: '2026-03-31',
      number_of_units: 312.4,
      net_amount: 76.54,
      price_per_unit: 0.245,
      units: [98.1, 104.7, 109.6],
    },
  ],
  tax_items: [{ amount: 3.83, tax_type: 'VAT', value_taxed: 76.54, rate: 0.05, unit_type: 'PROPORTION' }],
};

export const outsideOpenPeriod = {
  transaction_id: 'T-20260131-08',
  transaction_date: '2026-01-31',
  type: 'CHARGE',
  amount: 12.3,
  reason: 'IMPORTED_CHARGE',
};

export const exampleStatement = {
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  statement_id: 'ST-2026-01-0001482',
  issued_date: '2026-02-03',
  number: '1482-12',
  gross_amount: 112.07,
  statement_path: 'statements/2026/01/NW-0001482.pdf',
};

export const exampleProblems = [
  {
    operation: 'transactions',
    refused: true,
    code: 'invalid_date',
    attr: 'transactions.*.transaction_date',
    accounts: 4112,
    first_seen_at: '2026-04-17T09:30:12Z',
    last_seen_at: '2026-04-17T11:02:55Z',
    sample_account_numbers: ['NW-0001482', 'NW-0001377', 'NW-0000912'],
  },
  {
    operation: 'notes',
    refused: false,
    code: 'existing_data_differs',
    attr: 'notes.*.document_paths',
    accounts: 12,
    first_seen_at: '2026-04-17T09:30:12Z',
    last_seen_at: '2026-04-17T11:02:55Z',
    sample_account_numbers: ['NW-0002210'],
  },
];
