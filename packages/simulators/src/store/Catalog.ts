/** Fields of every record. */
export interface Listed {
  readonly id: number
  readonly createdAt?: number
  readonly placedAt?: number
  readonly updatedAt: number
}

/** A place in a list that is ordered by time and id, or by id alone (then the time is 0). */
export interface Place {
  readonly at: number
  readonly id: number
}

/** Generator of records, each from its number alone. Higher numbers have later change times. */
export interface Generated<Row> {
  readonly count: number
  readonly firstId: number
  readonly make: (index: number) => Row
}

/** Read order of records. */
export type Order = "id" | "updatedAt"

const isAfter = (left: Place, right: Place) => left.at > right.at || (left.at === right.at && left.id > right.id)

/** Records of a shop. Generated records are computed on read; only changed records are stored. */
export class Catalog<Row extends Listed> {
  readonly #generated: Generated<Row>
  readonly #changed = new Map<number, Row>()
  readonly #gone = new Set<number>()
  #byTime: ReadonlyArray<Row> | null = null
  #byId: ReadonlyArray<Row> | null = null
  #nextId: number

  constructor(generated: Generated<Row>) {
    this.#generated = generated
    this.#nextId = generated.firstId + generated.count
  }

  nextId(): number {
    this.#nextId += 1
    return this.#nextId - 1
  }

  get(id: number): Row | null {
    if (this.#gone.has(id)) return null
    const index = id - this.#generated.firstId
    const isGenerated = Number.isSafeInteger(index) && index >= 0 && index < this.#generated.count
    return this.#changed.get(id) ?? (isGenerated ? this.#generated.make(index) : null)
  }

  put(row: Row): Row {
    this.#changed.set(row.id, row)
    this.#gone.delete(row.id)
    this.#forget()
    return row
  }

  remove(id: number): void {
    this.#gone.add(id)
    this.#changed.delete(id)
    this.#forget()
  }

  #forget(): void {
    this.#byTime = null
    this.#byId = null
  }

  #sorted(order: Order): ReadonlyArray<Row> {
    if (order === "id")
      return (this.#byId ??= [...this.#changed.values()].toSorted((left, right) => left.id - right.id))
    return (this.#byTime ??= [...this.#changed.values()].toSorted(
      (left, right) => left.updatedAt - right.updatedAt || left.id - right.id
    ))
  }

  #placeOf(row: Row, order: Order): Place {
    return { at: order === "id" ? 0 : row.updatedAt, id: row.id }
  }

  /** The first generated row after a place. */
  #indexAfter(place: Place, order: Order): number {
    const { count, firstId, make } = this.#generated
    if (order === "id") return Math.min(count, Math.max(0, place.id + 1 - firstId))
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isAfter(this.#placeOf(make(middle), order), place)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** All rows after a place, in their order. */
  *after(place: Place, order: Order): Generator<Row> {
    const { count, firstId, make } = this.#generated
    const changed = this.#sorted(order)
    let index = this.#indexAfter(place, order)
    let kept = changed.findIndex((row) => isAfter(this.#placeOf(row, order), place))
    if (kept === -1) kept = changed.length
    while (index < count || kept < changed.length) {
      const id = firstId + index
      if (index < count && (this.#gone.has(id) || this.#changed.has(id))) {
        index += 1
        continue
      }
      const row = index < count ? make(index) : null
      const other = changed[kept] ?? null
      if (row !== null && (other === null || isAfter(this.#placeOf(other, order), this.#placeOf(row, order)))) {
        index += 1
        yield row
      } else if (other !== null) {
        kept += 1
        yield other
      }
    }
  }

  /** Number of records. */
  get size(): number {
    const { count, firstId } = this.#generated
    const added = [...this.#changed.keys()].filter((id) => id >= firstId + count).length
    const removed = [...this.#gone].filter((id) => id < firstId + count).length
    return count + added - removed
  }

  all(): Generator<Row> {
    return this.after({ at: -1, id: -1 }, "id")
  }

  /** Returns a stable snapshot of the current records. Only changed records are copied. */
  copy(): Catalog<Row> {
    const copy = new Catalog(this.#generated)
    for (const [id, row] of this.#changed) copy.#changed.set(id, row)
    for (const id of this.#gone) copy.#gone.add(id)
    return copy
  }
}
