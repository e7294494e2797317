export interface Town {
  name: string;
  county: string;
  /** Outward codes of its postcodes. */
  districts: readonly string[];
  /** Up to the last three digits, from the ranges that Ofcom keeps free for drama. */
  landlinePrefix: string;
  /** First two digits of an electricity meter point's number: the network it is on. */
  electricityNetwork: string;
  streets: readonly string[];
}

const words = (text: string): readonly string[] => text.split(', ');

const ENGLISH_STREETS = words(
  'Station Road, Church Lane, Mill Hill, Victoria Terrace, Orchard Close, The Green, Chapel Street, Sycamore Avenue, Kiln Lane, Albert Road, St John’s Road, Quarry Bank, Nightingale Way, Tannery Yard, Lower Wharf, Beech Grove',
);
const WELSH_STREETS = words(
  'Heol y Bont, Ffordd Glan Llyn, Stryd Fawr, Maes-y-Dderwen, Lôn Tŷ Gwyn, Heol Tŷ’n-y-Caeau, Clos yr Wennol, Rhodfa’r Môr, Llys Derwen, Chapel Terrace',
);
const SCOTTISH_STREETS = words(
  'Kirk Wynd, Loan Terrace, Braehead Road, Harbour Crescent, Castle Vennel, Glebe Street, Lochside Drive, Rowan Brae',
);

const DRAMA_LANDLINE = '01632 960';

type Row = readonly [name: string, county: string, districts: string, landline: string, network: string];

const WELSH_TOWNS: readonly Row[] = [
  ['Cardiff', 'South Glamorgan', 'CF11, CF14, CF24', '029 2018 0', '21'],
  ['Swansea', 'West Glamorgan', 'SA1, SA2', DRAMA_LANDLINE, '21'],
  ['Aberystwyth', 'Ceredigion', 'SY23', DRAMA_LANDLINE, '21'],
  ['Bangor', 'Gwynedd', 'LL57', DRAMA_LANDLINE, '13'],
];

const ENGLISH_TOWNS: readonly Row[] = [
  ['London', 'Greater London', 'E8, N16, SE15, SW2, NW6', '020 7946 0', '12'],
  ['London', 'Greater London', 'E17, SE23, W12', '020 7946 0', '12'],
  ['Birmingham', 'West Midlands', 'B13, B29', '0121 496 0', '14'],
  ['Leicester', 'Leicestershire', 'LE2, LE3', '0116 496 0', '11'],
  ['Nottingham', 'Nottinghamshire', 'NG5, NG7', '0115 496 0', '11'],
  ['Leeds', 'West Yorkshire', 'LS6, LS8', '0113 496 0', '23'],
  ['Sheffield', 'South Yorkshire', 'S7, S11', '0114 496 0', '23'],
  ['Hebden Bridge', 'West Yorkshire', 'HX7', DRAMA_LANDLINE, '23'],
  ['Manchester', 'Greater Manchester', 'M14, M21', '0161 496 0', '16'],
  ['Liverpool', 'Merseyside', 'L8, L17', '0151 496 0', '13'],
  ['Bristol', '', 'BS3, BS5, BS6', '0117 496 0', '22'],
  ['Penryn', 'Cornwall', 'TR10', DRAMA_LANDLINE, '22'],
  ['Norwich', 'Norfolk', 'NR2, NR3', DRAMA_LANDLINE, '10'],
  ['Reading', 'Berkshire', 'RG1, RG30', '0118 496 0', '20'],
  ['Lewes', 'East Sussex', 'BN7', DRAMA_LANDLINE, '19'],
  ['Newcastle upon Tyne', 'Tyne and Wear', 'NE2, NE6', '0191 498 0', '15'],
];

const SCOTTISH_TOWNS: readonly Row[] = [
  ['Edinburgh', 'Midlothian', 'EH6, EH10', '0131 496 0', '18'],
  ['Glasgow', 'Lanarkshire', 'G12, G42', '0141 496 0', '18'],
  ['Pittenweem', 'Fife', 'KY10', DRAMA_LANDLINE, '18'],
  ['Inverness', 'Inverness-shire', 'IV2', DRAMA_LANDLINE, '17'],
];

export const TOWNS: readonly Town[] = [
  ...townsOf(WELSH_TOWNS, WELSH_STREETS),
  ...townsOf(ENGLISH_TOWNS, ENGLISH_STREETS),
  ...townsOf(SCOTTISH_TOWNS, SCOTTISH_STREETS),
];

export const HOUSE_NAMES = words(
  'Rose Cottage, The Old Forge, Tŷ Newydd, Bryn Awel, Nant-y-Felin, Lighthouse View, Gardener’s Bothy, Hafod',
);

function townsOf(rows: readonly Row[], streets: readonly string[]): Town[] {
  return rows.map(([name, county, districts, landlinePrefix, electricityNetwork]) => ({
    name,
    county,
    districts: words(districts),
    landlinePrefix,
    electricityNetwork,
    streets,
  }));
}
