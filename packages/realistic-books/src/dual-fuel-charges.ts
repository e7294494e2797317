/** A month of electricity: two rates of one charge, exact before it is rounded. */
export const electricity = {
  transaction_id: 'HV-E-0331',
  transaction_date: '2026-03-31',
  type: 'SUPPLY_CHARGE',
  amount: '123.41',
  product_code: 'HV-E-FIX-24',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2026-03-01',
      end_date: '2026-03-31',
      number_of_units: '412.5',
      net_amount: '101.0625',
      price_per_unit: '0.245',
      units: [101.2, '155.15', 156.15],
    },
    {
      rate_band: 'STANDING_CHARGE',
      start_date: '2026-03-01',
      end_date: '2026-03-31',
      number_of_units: 31,
      net_amount: 16.4734,
      price_per_unit: 0.5314,
    },
  ],
  tax_items: [{ amount: '5.876795', tax_type: 'VAT', value_taxed: '117.5359', rate: 0.05, unit_type: 'PROPORTION' }],
};

export const gas = {
  transaction_id: 'HV-G-0331',
  transaction_date: '2026-03-31',
  type: 'SUPPLY_CHARGE',
  amount: 65.06,
  product_code: 'HV-G-FIX-24',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2026-03-01',
      end_date: '2026-03-31',
      number_of_units: 880.4,
      net_amount: '52.73596',
      price_per_unit: 0.0599,
    },
    { start_date: '2026-03-01', end_date: '2026-03-31', number_of_units: 31, net_amount: '9.2287' },
  ],
  tax_items: [{ amount: '3.098233', tax_type: 'VAT', value_taxed: '61.96466', rate: 0.05, unit_type: 'PROPORTION' }],
};
