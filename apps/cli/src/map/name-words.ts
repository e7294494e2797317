/** What the headers of exports abbreviate, or say in German, French, Spanish, Italian, Dutch or Portuguese. */
const WORDS: Readonly<Record<string, string>> = {
  account: 'acc acct acnt',
  address: 'addr adresse direccion indirizzo adres anschrift dir domicilio dom morada adl adr addrs',
  agreement: 'agr',
  amount: 'amt betrag montant importe importo bedrag betrw betrh mt mnt',
  balance: 'bal saldo solde kontostand',
  billing: 'bill',
  birth: 'geburts geb naissance nacimiento nascita geboorte brth',
  city: 'ort wohnort ville ciudad localidad citta comune woonplaats plaats poblacion pobl pob municipio cidade twn',
  close: 'cls clsd closed closing',
  code: 'codigo codice cod cde cd',
  concept: 'concepto cpto causale',
  consumption: 'verbrauch consommation consumo verbruik cons',
  contract: 'vertrag vertrags contrat contrato contratto cto ctto contratti',
  correspondence: 'corr',
  country: 'land pays pais paese lkz ctry cntry',
  county: 'provincia prov',
  credit: 'cr',
  currency: 'waehrung devise divisa moneda valuta munt waers ccy',
  current: 'cur curr',
  customer: 'cust abonne abo kunde kunden kd client cliente klant cli abonado',
  date: 'dt dte datum dat fecha data f fec fch',
  datetime: 'dtm dttm timestamp',
  debit: 'dr',
  description: 'desc libelle bezeichnung descripcion descrizione omschrijving descricao dsc descr desn',
  document: 'doc beleg',
  due: 'echeance faellig faelligkeit faelligkeits scadenza vencimiento verval vto vcto venc vencto scad vencimento',
  effective: 'eff',
  electricity: 'elec',
  email: 'mail correo courriel emailadresse eml',
  end: 'ende fin fine einde baja fim',
  file: 'datei fichier archivo',
  from: 'von ab desde van dal frm',
  given: 'forename first vorname vname prenom voornaam fnm gnm',
  gross: 'brutto bruto lordo brut grs',
  history: 'historical historic hist historie historique historico historial storico archive archiv',
  home: 'privat priv prive hme',
  house: 'haus huis',
  install: 'inst installation installed einbau instalacion',
  instalment: 'abschlag abschlags',
  invoice: 'inv rechnung rechnungs rech facture fact factura fattura factuur faktura fra fras ftra fatura invc',
  language: 'sprache langue idioma lingua taal idi',
  line: 'lin',
  meter: 'mtr zaehler compteur contador contatore',
  method: 'mthd meth',
  mobile: 'mob handy mobil movil portable cellulare mobiel telemovel',
  month: 'mth',
  movein: 'einzug einzugs',
  moveout: 'auszug auszugs',
  name: 'nombre nm',
  net: 'netto neto',
  note: 'bemerkung bemerkungen notiz kommentar commentaire nota notas opmerking obs observ observacion observaciones observacao observacoes osservazioni',
  number: 'id ident identifier nbr no nr num nummer numero n nmbr',
  open: 'opn opened opening',
  payment:
    'pay zahlung zahlungs zahl paiement pago pagamento betaling paiements pagos pagamenti betalingen zahlungen pymt pmt',
  period: 'periode periodo per',
  phone: 'tel telephone telefon telefono telefoon fon tlf tfno tfn telf phn',
  point: 'punkt pkt',
  post: 'postal',
  postcode: 'pcode pstcd zip plz cp cap postleitzahl pstcde pstcode postcd pcd pst pc',
  posting: 'buchung buchungs buch ecriture ecr asiento scrittura boeking',
  premise: 'prem premises',
  price: 'preis prix precio prezzo prijs preco',
  product: 'prod produkt produit producto prodotto prd',
  quantity: 'qty menge quantite cantidad quantita hoeveelheid cant cdad quantidade',
  rate: 'satz taux rte',
  reading:
    'rdg read ablesung ables ablese releve lectura lettura meterstand zaehlerstand zwstand lect lecturas leitura rd',
  reason: 'rsn',
  reference: 'ref referenz referencia riferimento referentie',
  register: 'reg zaehlwerk rgstr',
  removal: 'ausbau',
  sequence: 'seq',
  serial: 'ser serie',
  short: 'sh shrt',
  start: 'beginn debut inicio inizio begin alta strt',
  statement: 'stmt stm',
  status: 'statut stato estado sts stat',
  street: 'str strasse rue calle straat',
  supply: 'sup liefer belieferungs suministro sum fornitura fornecimento',
  surname: 'nachname nname familienname apellido apellidos cognome achternaam snm lnm',
  tariff: 'tarif tarifa tariffa tarief trf trff',
  text: 'txt texte texto testo tekst',
  title: 'anrede civilite tratamiento ttl',
  to: 'bis hasta tot au al ate',
  transaction: 'trans tran txn trx trn',
  type: 'typ art tipo',
  unit: 'unt uom',
  value: 'val wert valor valore',
  vat: 'mwst ust tva iva btw mehrwertsteuer umsatzsteuer',
};
const MEANINGS = new Map(
  Object.entries(WORDS).flatMap(([word, others]) => others.split(' ').map((other) => [folded(other), word] as const)),
);

/** Words of a header that say that its amounts are hundredths of a currency. */
export const MINOR_WORDS = new Set(['pence', 'pennies', 'cents', 'minor']);

/** Words of a header that say nothing of its field: in which currency it is, and what stands between two others. */
const EMPTY_WORDS = new Set([
  ...'eur euro gbp usd chf aud nzd de du des di del la le el der die das l d of the'.split(' '),
  ...MINOR_WORDS,
]);

/** The words of a header in whatever dress, abbreviations in full: `ACCT_NO` and `AccountId` are `account number`. */
export function wordsOf(header: string): string[] {
  const words = header
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.map((word) => MEANINGS.get(folded(word)) ?? word);
}

/** `ä` and `ae` are the same, and so are `ß` and `ss`. */
function folded(word: string): string {
  return word.replaceAll('ß', 'ss').replaceAll(/([aou])e/g, '$1');
}

/** Words that say whose a field is, where the file says it already. */
const OWNERS = new Set(['customer', 'account']);

/** Shorter words are words of their own. */
const SHORTEST_PARTED = 5;

/** Names, what each means, and how they are found in headers that write them in another way. */
export class NameBook<Meaning> {
  readonly #meanings = new Map<string, Meaning[]>();
  readonly #words = new Set<string>();

  add(name: string, meaning: Meaning): void {
    const words = wordsOf(name);
    for (const word of words) this.#words.add(word);
    for (const key of new Set(keysOf(words))) this.#meanings.set(key, [...(this.#meanings.get(key) ?? []), meaning]);
  }

  /**
   * In whatever order of its words, some of them run together: `DATE_DE_NAISSANCE` is `birth date`, `RECHNR` `invoice number`,
   * and `CUSTPC` a `postcode`.
   */
  meaningsOf(header: string): readonly Meaning[] {
    const words = wordsOf(header);
    const parted = words.flatMap((word) => this.#parted(word) ?? [word]);
    const [first = '', ...others] = parted;
    const keys = [words, parted, OWNERS.has(first) ? others : []].flatMap(keysOf);
    const key = keys.find((one) => this.#meanings.has(one));
    return (key !== undefined && this.#meanings.get(key)) || [];
  }

  /** The two known words that are run together in one. */
  #parted(word: string): string[] | undefined {
    if (this.#words.has(word)) return [word];
    if (word.length < SHORTEST_PARTED) return undefined;
    const known = (text: string) => wordsOf(text).find((one) => this.#words.has(one));
    for (let end = word.length - 2; end >= 2; end -= 1) {
      const both = [known(word.slice(0, end)), known(word.slice(end))].filter((one) => one !== undefined);
      if (both.length === 2) return both;
    }
    return undefined;
  }
}

/** The words run together; and in one order, without those that say nothing. */
function keysOf(words: readonly string[]): string[] {
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  return telling.length === 0 ? [] : [folded(words.join('')), telling.sort().join(' ')];
}
