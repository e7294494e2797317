/**
 * Given and family names that belong together. The more often an origin occurs in `NAME_ORIGINS`, the more people have
 * it.
 */
export interface NameOrigin {
  women: readonly string[];
  men: readonly string[];
  families: readonly string[];
}

const names = (text: string): readonly string[] => text.split(', ');

const ENGLISH: NameOrigin = {
  women: names('Margaret, Chloë, Eleanor, Hannah, Zoë, Beatrice, Joanne, Pauline, Imogen, Gemma, Ruth, Sheila, Esmé'),
  men: names('Geoffrey, Thomas, Alan, Oliver, Stephen, Noël, Barnaby, Keith, Dominic, Wilfred, Simon, Callum, Derek'),
  families: names(
    'Ashworth, Blackwood, Carter-Hayes, Featherstone, Hargreaves, Inglethorpe, Kettlewell, Lightfoot, Ormerod, Pickering, Ramsbottom, Smith, Thistlethwaite, Brontë, Whitlock, Yardley, Sutcliffe, Penhaligon, Tregenza',
  ),
};

const WELSH: NameOrigin = {
  women: names('Siân, Angharad, Eleri, Ffion, Llinos, Nia, Rhiannon, Mair, Lowri, Carys'),
  men: names('Llŷr, Gwilym, Rhodri, Emyr, Iolo, Dafydd, Geraint, Siôn, Tomos, Huw'),
  families: names(
    'ap Gwynfor, Llewelyn, Gruffydd, Prys-Jones, Bowen, Rhydderch, Cadwaladr, Môn Hughes, Probert, Ellis',
  ),
};

const SCOTTISH: NameOrigin = {
  women: names('Mòrag, Eilidh, Catrìona, Isla, Fiona, Sìne, Kirsty'),
  men: names('Hamish, Ruaraidh, Lachlan, Iain, Dùghall, Fergus, Alasdair'),
  families: names('MacDhòmhnaill, McAllister, Drummond, Sutherland, MacLeòid, Farquharson, Urquhart, Buchanan'),
};

const IRISH: NameOrigin = {
  women: names('Gráinne, Siobhán, Aoife, Caoimhe, Niamh, Róisín, Órla'),
  men: names('Seán, Cillian, Pádraig, Ciarán, Eoin, Tadhg, Séamus'),
  families: names('Ó Súilleabháin, O’Connell, Mac Giolla Íosa, Ó Briain, Gallagher, Doherty, Ó Cinnéide, O’Shea'),
};

const POLISH: NameOrigin = {
  women: names('Małgorzata, Agnieszka, Bożena, Katarzyna, Żaneta, Elżbieta, Łucja'),
  men: names('Łukasz, Michał, Paweł, Grzegorz, Stanisław, Wojciech, Sławomir'),
  families: names('Wójcik, Wiśniewska-Cole, Dąbrowicz, Kaczmarek, Gołąb, Żak, Święch, Kołodziejczyk'),
};

const FRENCH: NameOrigin = {
  women: names('Aurélie, Anaïs, Françoise, Maëlle, Océane, Bénédicte'),
  men: names('François, Jérôme, Loïc, Rémi, Benoît, Gaël'),
  families: names('Lefèvre, Bélanger, Du Plessis, Château, Le Goût, Garçon, Müller-Lacroix, Besançon'),
};

const TURKISH: NameOrigin = {
  women: names('Ayşe, Gülşen, Özlem, Çiğdem, Elif, Şule'),
  men: names('Işık, Ömer, Çağlar, Uğur, Oğuz, Yiğit'),
  families: names('Yıldırım, Şahin, Öztürk, Çelik, Doğan, Güneş, İnan, Karagöz'),
};

const NIGERIAN: NameOrigin = {
  women: names('Adéọlá, Chiamaka, Ngọzị, Títílayọ̀, Folákẹ́, Amarachi'),
  men: names('Olúwaṣeun, Chukwuemeka, Babátúndé, Ifeanyị, Ọlámidé, Tunde'),
  families: names('Adébáyọ̀, Okonkwo, Ọ̀ṣun, Nwachukwu, Ògúnbíyìí, Eze, Balogun, Ìdòwú'),
};

const SOUTH_ASIAN: NameOrigin = {
  women: names('Priya, Nasreen, Gurpreet, Ayesha, Lakshmī, Meena, Sumaiya'),
  men: names('Arjun, Harjīt, Imran, Rāhul, Mohammed, Tariq, Sukhdev'),
  families: names('Patel, Begum, Raghunathan, Chaudhry, Singh Gill, Chatterjee, Ul-Haq, Iyer'),
};

const EUROPEAN: NameOrigin = {
  women: names('Åsa, Maria João, Jiřina, Ștefania, Þórunn, Søs, Ieva, Núria, Zsófia, Dörte'),
  men: names('Jürgen, Íñigo, Jiří, Győző, Håkon, Bjørn, Ștefan, Žygimantas, João, Kārlis'),
  families: names('Groß, Núñez, Dvořák, Szűcs, Ødegård, Țurcanu, Conceição, Bērziņš, Björk, Hašek, Þorláks, Świętek'),
};

const EAST_ASIAN: NameOrigin = {
  women: names('Thị Hương, Měi Líng, Yūko, Ji-woo, Ánh, Xiǎo Yàn'),
  men: names('Văn Đức, Wěi, Kenjirō, Min-jun, Quốc Bảo, Jiàn Guó'),
  families: names('Nguyễn, Zhāng, Satō, Trần, Lǐ, Phạm, Ōshima, Kim, Lü'),
};

const WEST_ASIAN: NameOrigin = {
  women: names('Fāṭima, Layla, Shīrīn, Nour, Zaynab'),
  men: names('Yūsuf, Kāmrān, Idrīs, Khālid, Dāryush'),
  families: names('al-Ḥasan, Ḥaddād, Farāhānī, Khoury, Ben Saïd, Qāsimī'),
};

export const NAME_ORIGINS: readonly NameOrigin[] = [
  ...Array<NameOrigin>(7).fill(ENGLISH),
  ...Array<NameOrigin>(3).fill(WELSH),
  ...Array<NameOrigin>(2).fill(SCOTTISH),
  IRISH,
  POLISH,
  FRENCH,
  TURKISH,
  NIGERIAN,
  SOUTH_ASIAN,
  SOUTH_ASIAN,
  EUROPEAN,
  EAST_ASIAN,
  WEST_ASIAN,
];

export const BUSINESS_NAMES = names(
  'Tŷ Bach Coffee Ltd, Brontë Books LLP, The Copper Kettle Tea Rooms, Café Société (Leeds) Ltd, Ó Briain & Daughters Joinery, Pokój Bakery Ltd, Yıldız Barbers, Hargreaves Motor Repairs, Seven Sisters Launderette, Kettlewell Dairy Farm, Adébáyọ̀ Legal LLP, Lightfoot Cycles, Crwst Artisan Bread Cyf, Fjörd Saunas UK Ltd, Mòr Books & Maps, Clwb Rygbi Glan-yr-afon, Whitlock Veterinary Practice, St Aelred’s Parish Hall, Patel & Sons Pharmacy, Ashworth Precision Tooling Ltd',
);

export const LANDLORD_NAMES = names(
  'Glanmor Lettings Ltd, Rowan & Rook Property, Cwm Student Homes, Three Rivers Housing Association, Penhaligon Estates',
);
