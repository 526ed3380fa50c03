import type { Schema } from "effect"
import { Drop } from "liquidjs/dist/liquid.browser.mjs"

/** Without this type, the class declaration would reference the template library, whose types need Node. */
const Base: new () => object = Drop

/**
 * A list, an object, or an amount of money. Only money has a text. Liquid reads nested paths from the own properties of a structure.
 */
export class Structure extends Base {
  readonly #json: Schema.Json
  readonly #text: string | null

  constructor(json: Schema.Json, text: string | null = null) {
    super()
    this.#json = json
    this.#text = text
  }

  /** The structure as JSON. */
  static jsonOf(structure: Structure): Schema.Json {
    return structure.#json
  }

  /** The text of the structure; fails where it has none. */
  static textOf(structure: Structure): string {
    if (structure.#text === null) throw new TypeError("no text")
    return structure.#text
  }

  override valueOf(): unknown {
    return this.#text
  }
}
