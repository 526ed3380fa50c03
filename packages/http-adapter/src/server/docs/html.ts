/** HTML that is safe to insert into a page. */
export class Html {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Piece = string | number | Html | ReadonlyArray<Html>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const render = (piece: Piece): string => {
  if (piece instanceof Html) return piece.source
  if (typeof piece === "object") return piece.map((html) => html.source).join("")
  return escape(String(piece))
}

/** Builds HTML. Escapes every inserted text. */
export const html = (strings: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html =>
  new Html(String.raw({ raw: strings }, ...pieces.map(render)))

/** Empty HTML. */
export const nothing = new Html("")
