import { EncodedJson } from "@parley/domain/kernel"
import { DateTime } from "effect"
import { compactJson, hasFields } from "./compactJson.ts"
import { makeDates } from "./dates.ts"

const [quote, backslash, space, comma, dash, colon, point, zero] = [0x22, 0x5c, 0x20, 0x2c, 0x2d, 0x3a, 0x2e, 0x30]
const [T, Z, u, opened, closed] = [0x54, 0x5a, 0x75, 0x5b, 0x5d]

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const hex = encoder.encode("0123456789abcdef")
const [nothing, yes, no] = [encoder.encode("null"), encoder.encode("true"), encoder.encode("false")]

/** JSON escape letters of control characters, by code; 0 for numeric escapes. */
const letters = new Uint8Array(space)
for (const [control, letter] of Object.entries({ "\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r" })) {
  letters[control.charCodeAt(0)] = letter.charCodeAt(0)
}

/** Rewrites JSON into its contract form. */
type Rewrite = (text: string) => string

const asJson: Rewrite = (text) => JSON.stringify(JSON.parse(text))

const dayMillis = 86_400_000

/** Milliseconds from 1970 to 2000, the PostgreSQL epoch. */
const millisBefore = 946_684_800_000

// Range of the instants whose year has four digits.
const [earliest, latest] = [-62_167_219_200_000, 253_402_300_799_999]

/** Maximum buffer size, in bytes, that is reused for the next page. */
const mostKept = 262_144

/**
 * Writes the JSON of records from `record_send`, byte by byte. No string and no object is created for a value. The text equals `JSON.stringify` of
 * the value that the driver would read.
 */
export class RecordWriter {
  private source: Uint8Array = new Uint8Array(0)
  private target: Uint8Array = new Uint8Array(mostKept / 4)
  /** Start of the next field of the record. */
  private from = 0
  /** Position of the next written byte. */
  private to = 0
  /** Upper limit of the written record. */
  private limit = 0
  private readonly dates = makeDates()

  /** Renders each record. `besides` is the maximum number of bytes written in addition to the fields. */
  render<A>(
    records: ReadonlyArray<Uint8Array>,
    besides: number,
    write: (writer: RecordWriter) => void
  ): ReadonlyArray<EncodedJson<A>> {
    this.to = 0
    const ends = records.map((record) => {
      this.source = record
      // After the number of fields.
      this.from = 4
      // A value, with the eight bytes before it, is written with at most twice its size, unless it has control characters.
      this.limit = this.to
      this.allow(2 * record.length + besides)
      write(this)
      return this.to
    })
    const json = this.target.slice(0, this.to)
    if (this.target.length > mostKept) this.target = new Uint8Array(mostKept)
    this.source = json
    return ends.map((end, place) => new EncodedJson(json.subarray(ends[place - 1] ?? 0, end)))
  }

  private allow(more: number): void {
    this.limit += more
    if (this.limit <= this.target.length) return
    const larger = new Uint8Array(2 * this.limit)
    larger.set(this.target.subarray(0, this.to))
    this.target = larger
  }

  private integerAt(at: number): number {
    const { source } = this
    return (
      ((source[at] ?? 0) << 24) | ((source[at + 1] ?? 0) << 16) | ((source[at + 2] ?? 0) << 8) | (source[at + 3] ?? 0)
    )
  }

  /** Writes the next field, or null. The type and the byte length precede each field. */
  field(write: (writer: RecordWriter, size: number) => void): void {
    const size = this.integerAt(this.from + 4)
    this.from += 8
    if (size < 0) return this.put(nothing)
    write(this, size)
    this.from += size
  }

  /** Skips the next field if it is null. */
  skipsNull(): boolean {
    if (this.integerAt(this.from + 4) >= 0) return false
    this.from += 8
    return true
  }

  put(bytes: Uint8Array): void {
    this.target.set(bytes, this.to)
    this.to += bytes.length
  }

  text(size: number): void {
    const { from, source } = this
    const end = from + size
    let { target, to } = this
    let isAllowed = false
    target[to++] = quote
    for (let at = from; at < end; at += 1) {
      const byte = source[at] ?? 0
      if (byte >= space) {
        if (byte === quote || byte === backslash) target[to++] = backslash
        target[to++] = byte
        continue
      }
      const letter = letters[byte] ?? 0
      if (letter !== 0) {
        target[to++] = backslash
        target[to++] = letter
        continue
      }
      if (!isAllowed) {
        isAllowed = true
        this.to = to
        this.allow(4 * (end - at))
        target = this.target
      }
      target[to++] = backslash
      target[to++] = u
      target[to++] = zero
      target[to++] = zero
      target[to++] = hex[byte >> 4] ?? 0
      target[to++] = hex[byte & 15] ?? 0
    }
    target[to++] = quote
    this.to = to
  }

  private digits(from: number, end: number, start: number): number {
    const { source, target } = this
    let to = start
    for (let at = from; at < end; at += 1) {
      const byte = source[at] ?? 0
      target[to] = hex[byte >> 4] ?? 0
      target[to + 1] = hex[byte & 15] ?? 0
      to += 2
    }
    target[to] = dash
    return to + 1
  }

  private uuidAt(at: number): void {
    this.target[this.to] = quote
    let to = this.digits(at, at + 4, this.to + 1)
    to = this.digits(at + 4, at + 6, to)
    to = this.digits(at + 6, at + 8, to)
    to = this.digits(at + 8, at + 10, to)
    to = this.digits(at + 10, at + 16, to)
    this.target[to - 1] = quote
    this.to = to
  }

  uuid(): void {
    this.uuidAt(this.from)
  }

  /** A one-dimensional array without nulls. */
  uuids(): void {
    const { from } = this
    const isEmpty = this.integerAt(from) === 0
    const count = isEmpty ? 0 : this.integerAt(from + 12)
    this.target[this.to++] = opened
    for (let place = 0; place < count; place += 1) {
      if (place > 0) this.target[this.to++] = comma
      this.uuidAt(from + 24 + 20 * place)
    }
    this.target[this.to++] = closed
  }

  int(): void {
    const value = this.integerAt(this.from)
    const { target } = this
    let { to } = this
    let rest = Math.abs(value)
    let unit = 1
    while (rest >= 10 * unit) unit *= 10
    if (value < 0) target[to++] = dash
    for (; unit >= 1; unit /= 10) {
      const digit = Math.floor(rest / unit)
      target[to++] = zero + digit
      rest -= digit * unit
    }
    this.to = to
  }

  bool(): void {
    this.put(this.source[this.from] === 1 ? yes : no)
  }

  private two(number: number): void {
    const tens = Math.floor(number / 10)
    this.target[this.to++] = zero + tens
    this.target[this.to++] = zero + number - 10 * tens
  }

  /** An instant to the millisecond, as the driver reads it: truncated, not rounded, before and after 2000. */
  time(): void {
    const [high, low] = [this.integerAt(this.from), this.integerAt(this.from + 4) >>> 0]
    // The number of microseconds can exceed the precision of a number.
    const part = high * 296 + low
    const whole = high * 4_294_967 + Math.floor(part / 1_000)
    const millis = millisBefore + (high < 0 && part % 1_000 !== 0 ? whole + 1 : whole)
    if (millis < earliest || millis > latest) {
      return this.put(encoder.encode(`"${DateTime.formatIso(DateTime.makeUnsafe(millis))}"`))
    }
    const day = Math.floor(millis / dayMillis)
    const ofDay = millis - day * dayMillis
    const seconds = Math.floor(ofDay / 1_000)
    const minutes = Math.floor(seconds / 60)
    const hours = Math.floor(minutes / 60)
    const fraction = ofDay - seconds * 1_000
    const hundreds = Math.floor(fraction / 100)
    this.target[this.to++] = quote
    this.to = this.dates.write(day, this.target, this.to)
    this.target[this.to++] = T
    this.two(hours)
    this.target[this.to++] = colon
    this.two(minutes - hours * 60)
    this.target[this.to++] = colon
    this.two(seconds - minutes * 60)
    this.target[this.to++] = point
    this.target[this.to++] = zero + hundreds
    this.two(fraction - hundreds * 100)
    this.target[this.to++] = Z
    this.target[this.to++] = quote
  }

  /** A jsonb value, after the version of its wire format. */
  jsonb(size: number): void {
    this.copied(this.from + 1, this.from + size)
  }

  /** A json value, copied as stored. */
  json(size: number): void {
    this.copied(this.from, this.from + size)
  }

  /** A json value that is parsed and rewritten. */
  rewritten(size: number, rewrite: Rewrite): void {
    this.rewrite(this.from, this.from + size, rewrite)
  }

  /** A json object with exactly these quoted field names in this order and without nested objects is copied. Other values are rewritten. */
  flat(size: number, names: ReadonlyArray<Uint8Array>, rewrite: Rewrite): void {
    const { from, source, target, to } = this
    const end = compactJson(source, from, from + size, target, to)
    if (end !== null && hasFields(target, to, end, names)) this.to = end
    else this.rewrite(from, from + size, rewrite)
  }

  private copied(from: number, until: number): void {
    const end = compactJson(this.source, from, until, this.target, this.to)
    if (end === null) this.rewrite(from, until, asJson)
    else this.to = end
  }

  private rewrite(from: number, until: number, rewrite: Rewrite): void {
    const bytes = encoder.encode(rewrite(decoder.decode(this.source.subarray(from, until))))
    this.allow(bytes.length)
    this.put(bytes)
  }
}
