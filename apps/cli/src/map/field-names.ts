import type { KindName } from '../convert/kind-names.ts';

/**
 * What the trade calls each field. A name behind a question mark says too little alone: it makes a candidate, and its
 * values cannot change that.
 */
export const NAMES: Readonly<Partial<Record<KindName, Readonly<Record<string, string>>>>> = {
  accounts: {
    account_type:
      'account type, customer class, account class, ?customer type, ?type, customer group, kundenklasse, kdklasse, kdtyp, kundengruppe',
    date_of_sale: 'date of sale, sale date, signup date, ?contract date',
    sales_channel: 'sales channel, ?channel',
    language_preference: 'language, language code, preferred language, language preference',
    communication_preference: 'communication preference, bill delivery, ?contact preference, ?paperless',
    billing_name:
      'billing name, bill to name, account name, account holder, account holder name, invoice name, ?titular, intestatario, name razon, nom razon, name razon social, ?short name, ?name',
    billing_address1:
      'billing street, billing address, billing address 1, billing address line 1, mailing street, mailing address, mailing address 1, mailing address line 1, correspondence address 1, correspondence address line 1, post address 1, address fiscal, address facturacion, address 1, address line 1, street, ?address',
    billing_address2:
      'billing address 2, billing address line 2, mailing address 2, mailing address line 2, correspondence address 2, correspondence address line 2, post address 2, address 2, address line 2',
    billing_address3:
      'billing city, billing town, billing address 3, billing address line 3, mailing city, mailing town, correspondence town, address 3, address line 3, town, city',
    billing_address4: 'billing county, billing address 4, billing address line 4, mailing county, county, address 4',
    billing_address5: 'billing address 5, billing address line 5, address 5, address line 5',
    billing_postcode:
      'billing postcode, billing post code, billing postcode post code, mailing postcode, correspondence postcode, postcode, post code',
    billing_email: 'billing email, billing email address, invoice email',
    billing_customer_reference: 'purchase order, purchase order number, po number, ?customer reference',
    transfer_balance:
      'balance, account balance, current balance, closing balance, outstanding balance, transfer balance, balance amount, ?opening balance',
    last_billed_to_date: 'last billed to date, billed to date, billed to, last billed to, ?last billing date',
    next_bill_due_date: 'next billing date, next billing due date',
    'payment_schedules.0.means': '?payment method, ?payment means, ?paymth',
    'payment_schedules.0.day_of_month': 'dd day, direct debit day, collection day, payment day',
    'payment_schedules.0.amount': 'dd amount, direct debit amount, monthly payment, instalment amount, instalment',
    'payment_schedules.0.mandate.reference': 'mandate reference, mandate, dd reference, direct debit reference',
    'business.name':
      'company name, business name, organisation name, organization name, trading name, ?company, firma, firmenname, name org 1, raison sociale, razon social, ragione sociale, bedrijfsnaam',
    'business.company_number': 'company number, company registration number, registered company number',
  },
  customers: {
    title: 'title, name title, customer title',
    given_name:
      'given name, givenname, forename, given, fname, vorname, prenom, christian name, customer given name, name first',
    family_name:
      'last name, lastname, surname, ?name, ?nom, ?nome, family name, lname, nachname, customer surname, customer last name',
    email: 'email, e mail, email address, e mail address, customer email, contact email, mail, smtp addr',
    mobile:
      'mobile, mobile phone, mobile number, mobile phone number, cell, cell phone, cellphone, phone mobile, contact mobile, customer mobile, mob number',
    landline:
      'landline, fijo, telefono fijo, ?phone 1, ?phone 2, home phone, phone home, landline number, home phone number, phone, phone number, contact phone',
    date_of_birth: 'date of birth, dob, birth date, birthdate, birthday, customer dob, birthdt, geboortedatum',
    salutation: 'salutation, dear name',
    pronouns: 'pronouns, pronoun',
    user_identifier:
      'customer number, person number, contact number, party number, business partner, user number, gpart, geschaeftspartner',
  },
  'supply-points': {
    supply_address1:
      'supply address, supply address 1, supply address line 1, site address 1, site address line 1, premise address 1, premise address line 1, property address 1, supply street, site street, premise street, address 1, address line 1, street, ?address',
    supply_address2:
      'supply address 2, supply address line 2, site address 2, premise address 2, property address 2, address 2, address line 2',
    supply_address3:
      'supply city, supply town, supply address 3, supply address line 3, site town, site city, premise town, property town, town, city, address 3',
    supply_address4: 'supply county, supply address 4, supply address line 4, site county, county, address 4',
    supply_postcode: 'supply postcode, site postcode, premise postcode, property postcode, postcode, post code',
    customer_at_supply_address_from_date:
      'move in date, move in, moved in, moved in date, occupied from, occupancy from, occupancy start, occupancy start date, tenancy start, tenancy start date, einzdat, ?open date, ?open at, ?account open date',
    customer_at_supply_address_to_date:
      'move out date, move out, moved out, moved out date, occupied to, occupancy end, occupancy end date, tenancy end, tenancy end date, auszdat, ?close date, ?close at, ?account close date',
    'meter_points.supply_type':
      'fuel, fuel type, supply type, commodity, ?service type, ?utility, sparte, energieart, energietraeger',
    'meter_points.supply_start_date': 'supply start date, supply start, ssd, supply from, on supply date, gain date',
    'meter_points.supply_end_date': 'supply end date, supply end, supply to, loss date',
    'meter_points.mpid': 'mpid, supplier mpid, supplier number',
    'meter_points.profile_class': 'profile class, profile',
    'meter_points.ssc': 'ssc, standard settlement configuration',
    'meter_points.meters.installed_on':
      'install, install date, meter install date, date install, meter install, fitted date, installed on',
    'meter_points.meters.removed_on':
      'removal date, meter removal date, removed date, meter removed, removed on, removed',
    'meter_points.meters.is_prepay': 'is prepay, prepay, prepayment',
  },
  registers: {
    register_id: 'register number, register, tpr register',
    number_of_digits:
      'number of digits, digits, dials, number of dials, meter digits, register digits, vorkommastellen',
    identifier: 'register name, register description, ?description',
    unit: 'register unit, unit of measure, ?unit',
    multiplier: 'multiplier, register multiplier, meter multiplier, ?factor',
  },
  readings: {
    register_id: 'register number, register, tpr register, ?period, ?per',
    reading_date:
      'reading date, date reading, reading datetime, date of reading, reading at, reading taken, reading date time, adat',
    reading_at: 'reading datetime, reading at, reading time, reading date time, time of reading',
    reading_value:
      'reading, reading value, meter reading, register reading, current reading, reading act, reading actual, reading attuale, reading atual, value, ?index',
    reading_type: 'reading type, ?type',
    reading_quality: 'reading quality, quality, ?reading status',
    reading_source: 'reading source, source, ?reading reason',
  },
  agreements: {
    tariff_code: 'tariff, tariff code, tariff number, rate plan, plan code, product code',
    effective_from:
      'tariff start, tariff start date, tariff from, tariff effective from, agreement start, agreement start date, contract start, contract start date, effective from, valid from, contract from, ?from',
    effective_to:
      'tariff end, tariff end date, tariff to, tariff effective to, agreement end, agreement end date, contract end, contract end date, effective to, valid to, contract to, ?to',
    agreed_at: 'agreed at, agreed on, agreement date, contract signed',
  },
  notes: {
    body: 'note, notes, note text, note body, comment, comments, memo, remarks, body',
    created_at: 'created at, created, created on, created date, note date, note created, entered on, ?erdat',
    external_id: 'note number, note reference',
  },
  transactions: {
    transaction_id:
      'transaction number, transaction reference, transaction sequence, posting number, ?document number, payment number, ?belnr, ?opbel',
    transaction_date: 'transaction date, posting date, payment date, paid date, receipt date, value date, ?date, budat',
    type: 'transaction type, posting type, ?type',
    amount:
      'amount, transaction amount, payment amount, amount paid, gross amount, amount ttc, transaction gross, debit amount, credit amount, ?value, ?total',
    reason: 'transaction reason, reason',
    display_note:
      'narrative, display note, transaction description, ?description, ?concept, posting text, ?verwendungszweck',
    reference: 'payment reference, bank reference, ?reference',
    payment_type: 'payment method, payment type, method, ?paymth, zahlweg, zahlungsweise',
    product_code: 'product code, product, tariff code',
  },
  'line-items': {
    rate_band: 'rate band, concept, line description, charge type, line type, ?description',
    start_date:
      'from date, line from, charge from, period from, start date, charge start, period start, line start, ?from',
    end_date: 'to date, line to, charge to, period to, end date, charge end, period end, line end, ?to',
    number_of_units: 'units, number of units, quantity, kwh, consumption, units used, line units, line quantity',
    net_amount: 'net amount, amount ht, line net, net, line amount, net value, line net amount, amount net',
    price_per_unit: 'unit price, price per unit, unit rate, price, rate, line price, ?line rate',
  },
  'tax-items': {
    amount: 'vat amount, tax amount, vat, tax, gst, gst amount, line vat, line tax, amount vat, amount tax',
    rate: 'vat rate, tax rate, gst rate',
    tax_type: 'tax type',
    value_taxed: 'taxable amount, value taxed, base imponible, imponibile',
  },
  statements: {
    statement_id: 'statement number, statement reference, invoice number, invoice reference, billing number',
    bill_period_from_date:
      'period from, period start, billing period from, billing from, billing period start, invoice from, statement from, period from date, from date, billing period from date, ?from',
    bill_period_to_date:
      'period to, period end, billing period to, billing to, billing period end, invoice to, statement to, period to date, to date, billing period to date, ?to',
    issued_date: 'issue date, issued date, issued, issued on, date issued, invoice date, statement date, billing date',
    gross_amount:
      'total, gross, gross amount, amount ttc, total amount, invoice total, billing total, statement total, total due, imp total, amount due, invoice amount, billing amount, ?amount',
    status: 'statement status, invoice status, billing status, ?status',
    replaces:
      'replaces, replaced invoice, replaced statement, replaces invoice, replaces statement, replaced invoice number, replaces invoice number, original invoice number, corrected invoice number',
    due_date: 'due date, payment due date, invoice due date, pay by, pay by date',
    net_amount:
      'net amount, amount ht, amount net, net, net value, total net, total ht, invoice net, invoice net amount',
    tax_amount:
      'vat amount, tax amount, amount vat, amount tax, vat, tax, gst, total vat, total tax, invoice vat, invoice tax',
    currency: 'currency, currency code, cur, cur code, invoice currency',
    statement_path: 'pdf, pdf path, pdf file, pdf name, document path, file path, file name, statement path, ?file',
  },
  'payment-instructions': {
    vendor: 'vendor, payment vendor, gateway, payment gateway, payment provider',
    reference: 'payment token, token, vendor reference, gateway reference, gateway token',
    type: 'instruction type, ?type',
  },
};

/** Names of keys, which several kinds have. */
export const KEYS = {
  account:
    'account number, account reference, account, account code, account key, contract account, billing account, billing account number, service account, service account number, customer account, customer account number, customer account reference, external account number, acctno, accno, vkont, vkonto, vertragskonto, vertragskonto number, kundenkonto, compte client, compte contrat, cuenta contrato',
  customer:
    'customer number, customer reference, customer, customer code, customer key, consumer number, custno, kunnr, kdnr, gpart',
  meterPoint:
    'mpan, mprn, mpxn, mpan core, mpan number, mprn number, mpr, meter point, zahlpunkt, zpkt, ext ui, marktlokation, messlokation, melo, delivery point, point livraison,  meter point number, meter point reference, supply number, supply point number, nmi, ean, ean code, pod, prm, pdl, pce, cups, cpe, malo, malo number, esi number, icp, icp number',
  meter:
    'meter serial number, serial number, meter serial, serial, msn, meter number, device number, meter serial reference, meter, meter sn, cont number, geraet, geraetenummer, gernr, fabriknummer, matricule meter, matricola meter',
} as const;
