import type { SeenLine } from "./Settings.ts"

const second = 1_000
const placeDigits = 8

/** The messages of one number, as the provider counts them: each has a reference and costs a byte. */
export class Ledger {
  private readonly phoneId: string
  private readonly seen = new Map<string, Uint8Array>()
  private recent: Array<number> = []
  private oldest = 0
  private messages = 0
  private duplicates = 0
  private firstAt = 0
  private lastAt = 0
  private busiest = 0

  constructor(phoneId: string) {
    this.phoneId = phoneId
  }

  /** Receives a message. The last digits of its reference are the place of the recipient in the broadcast. */
  add(reference: string, at: number): void {
    if (this.messages === 0) this.firstAt = at
    this.lastAt = at
    this.messages += 1
    if (this.isKnown(reference)) this.duplicates += 1
    this.recent.push(at)
    while ((this.recent[this.oldest] ?? at) <= at - second) this.oldest += 1
    this.busiest = Math.max(this.busiest, this.recent.length - this.oldest)
    if (this.oldest > this.recent.length / 2) {
      this.recent = this.recent.slice(this.oldest)
      this.oldest = 0
    }
  }

  seenLine(): SeenLine {
    const { busiest, duplicates, firstAt, lastAt, messages, phoneId } = this
    return { phoneId, messages, duplicates, firstAt, lastAt, busiest }
  }

  private isKnown(reference: string): boolean {
    const [prefix, place] = [reference.slice(0, -placeDigits), Number.parseInt(reference.slice(-placeDigits), 16)]
    let places = this.seen.get(prefix)
    if (places === undefined || places.length <= place) {
      const larger = new Uint8Array(Math.max(1_024, 2 * (place + 1)))
      if (places !== undefined) larger.set(places)
      this.seen.set(prefix, larger)
      places = larger
    }
    const isKnown = places[place] === 1
    places[place] = 1
    return isKnown
  }
}
