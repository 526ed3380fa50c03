const list = (words: string) => words.trim().split(/\s+/)

/** Given names, the commonest first. */
export const givenNames = list(`
  Maria Ana Anna José João Peter Michael Thomas Juan Luis Carlos Laura Sofia Emma Lukas Julia Paul Marta Pedro Elena Lena
  Jonas Felix Sara Clara Nina Mateo Lucas Hannah Leon Mia Noah Oliver Ella Liam Ava Ethan Isabella James Amelia Henry Chloé
  Léa Hugo Inès Zoé François Hélène René Søren Åsa Björn Jürgen Käthe Günther Müge Çağla İbrahim Ayşe Mehmet Fatma Yusuf
  Omar Layla Khalid Amina Priya Rahul Ananya Arjun Wei Mei Hiroshi Yuki Kenji Olga Dmitri Svetlana Igor Katarzyna Piotr
  Zuzana Tomáš Ágnes László Nikolaos Eleni Fiona Seamus Niamh Gwendolyn Xaver Quirin Xenia Zbigniew Wolfgang Friederike`)

/** Beginnings of family names, the commonest first. */
export const familyStems = list(`
  Sil Santo Olivei Sou Garcí Martí Lópe Schmi Schnei Müll Fisch Web Mey Wagn Beck Hoff Schäf Koch Bau Richt Klei Wol
  Neuma Schwar Zimm Brau Krüg Hartm Lang Werk Krau Lehm Köhl Herrm König Walt Huber Kais Fuch Pete Lindst Johan Ander
  Karls Nilss Erics Lars Ols Pers Svens Gustaf Peders Jens Hans Rasmuss Nguy Tran Pham Kowal Wiśni Wójci Kamiń Lewan
  Novák Svobo Dvořá Čern Horvá Kovác Tóth Szab Popes Ione Radul Iva Petro Sido Smirn Kuzne Popo Vasil Demi Yılm Kay
  Öztür Şah Çel Ayd Haddad Khour Mans Rahm Shar Pat Kum Gup Tana Suzu Yama Wata Nakam Kobay Smi Jone Willi Brow Tayl
  Davi Evan Thoma Robe Wals O'Bri O'Conn MacDon Quent Xylan Zwick Zygm`)

/** Endings of family names, the commonest first. */
export const familyEnds = list(`
  a er mann ez son sen ski va ov dt hardt berg stein ova escu ian idis oglu lar am ura moto ta shi ins ell ham ton ford
  wick worth ley by feld bach hausen dorf meier huber bauer müller schmidt fer reira veira tti ini ucci ard eau iot`)

/** Cities, the commonest first. */
export const cities = list(`
  Berlin Lisboa Madrid Paris Hamburg Porto London Wien Zürich München Roma Milano Köln Barcelona Sevilla Lyon Praha Warszawa
  Kraków Budapest Oslo Bergen Stockholm Malmö Helsinki Dublin Cork Athens Ankara Izmir Cairo Lagos Nairobi Mumbai Delhi
  Tokyo Osaka Seoul Sydney Auckland Toronto Boston Chicago Denver Austin Lima Quito Bogotá Recife Ulaanbaatar`)
