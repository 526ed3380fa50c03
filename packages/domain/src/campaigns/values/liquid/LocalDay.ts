import { Drop } from "liquidjs/dist/liquid.browser.mjs"

/** A day of a contact: compared as the text that it is stored as, and written in the language of the template. */
export class LocalDay extends Drop {
  readonly text: string
  readonly time: number

  constructor(text: string, time: number) {
    super()
    this.text = text
    this.time = time
  }

  override valueOf(): string {
    return this.text
  }
}
