import { type RecordKind, type ShopAccess, StoreRefused, StoreUnreachable } from "@parley/domain/commerce"
import { Bytes, DateTime, Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { at, listAt, parsed, textAt } from "../../json.ts"
import type { ShopCalls } from "./ShopCalls.ts"
import { asFarAsAllowed, cutInside, orTooCostly, personal, recordsOf } from "./collections.ts"
import {
  asking,
  exportDocument,
  exportStatusDocument,
  listDocument,
  type Omitted,
  runExportDocument
} from "./documents.ts"
import { type Raw, shopCurrencyIn } from "./readRecords.ts"
import { gidAt, plainIdAt } from "./values.ts"

type Calls = ShopCalls["Service"]

/** Position of a reader of an export: the operation, the byte offset of a line, and the number of restarts. */
interface Place {
  readonly operation: string
  readonly byte: number
  readonly attempt: number
}

/** No record is read yet. */
const nothing = { records: [], unreadable: [] }

const form = /^(\d{1,20})\/(\d{1,15})\/(\d)$/u
const mostAttempts = 3

const placeIn = (checkpoint: string): Place | null => {
  const [, operation, byte, attempt] = form.exec(checkpoint) ?? []
  return operation === undefined ? null : { operation, byte: Number(byte), attempt: Number(attempt) }
}

const written = ({ attempt, byte, operation }: Place) => `${operation}/${byte}/${attempt}`

const busy = new StoreRefused({
  remedy: "slow_down",
  code: "OPERATION_IN_PROGRESS",
  reason: "The store makes as many exports for this app as it may.",
  retryAfterMillis: 60_000
})

const failed = (code: string) =>
  new StoreRefused({
    remedy: code === "ACCESS_DENIED" ? "missing_scope" : "retry",
    code,
    reason: "The store could not make the export.",
    retryAfterMillis: null
  })

/** Finds the readable fields with one record of the kind: an export fails as a whole because of one forbidden field. */
const omittedFor = (calls: Calls, access: ShopAccess, kind: RecordKind) =>
  orTooCostly(
    asFarAsAllowed(
      calls,
      access,
      (omitted) => ({
        name: `${kind}_1`,
        document: listDocument(kind, omitted, calls.settings.apiVersion),
        variables: { first: 1, after: null, query: null }
      }),
      (data, omitted): Omitted | null => (Array.isArray(at(data, asking[kind].collection, "nodes")) ? omitted : null)
    )
  )

const begun = Effect.fnUntraced(function* (
  calls: Calls,
  access: ShopAccess,
  kind: RecordKind,
  since: DateTime.Utc | null,
  attempt: number,
  without: Omitted | null
) {
  const omitted = without ?? (yield* omittedFor(calls, access, kind))
  const search = kind === "orders" && since !== null ? `created_at:>='${DateTime.formatIso(since)}'` : null
  const { data } = yield* orTooCostly(
    calls.query(access, {
      name: "export",
      document: runExportDocument,
      variables: { query: exportDocument(kind, omitted, calls.settings.apiVersion, search) }
    })
  )
  const [error] = listAt(data, "bulkOperationRunQuery", "userErrors")
  const code = textAt(error, "code")
  if (code === "OPERATION_IN_PROGRESS" || code === "LIMIT_REACHED") return yield* busy
  const operation = gidAt(data, "bulkOperationRunQuery", "bulkOperation", "id")
  if (operation !== null) return { ...nothing, checkpoint: written({ operation, byte: 0, attempt }), total: null }
  return yield* new StoreRefused({
    remedy: "give_up",
    code: code ?? "INVALID",
    reason: textAt(error, "message") ?? "The store has not begun the export.",
    retryAfterMillis: null
  })
})

const firstWindow = 512 * 1024
const lastWindow = 32 * 1024 * 1024
const ok = 200
const partly = 206
const pastTheEnd = 416

/** Number of bytes of an answer, after the skipped ones. */
const bytesIn = ({ stream }: HttpClientResponse.HttpClientResponse, skipped: number, most: number) =>
  stream.pipe(
    Stream.mapAccum(
      () => 0,
      (seen: number, piece: Uint8Array) => {
        const kept = piece.subarray(Math.max(0, skipped - seen), Math.max(0, skipped + most - seen))
        return [seen + piece.length, [{ kept, isLast: seen + piece.length >= skipped + most }]] as const
      }
    ),
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.runCollect,
    Effect.map((pieces) => Bytes.concat(pieces.map(({ kept }) => kept))),
    Effect.catchTag("HttpClientError", (error) =>
      error.reason._tag === "EmptyBodyError" ? Effect.succeed(new Uint8Array()) : Effect.fail(new StoreUnreachable())
    )
  )

/** A part of the file; `null` if there is no such file any more. */
const windowOf = Effect.fnUntraced(function* (calls: Calls, url: string, from: number, most: number) {
  const response = yield* calls.open(url, from, from + most - 1)
  if (response.status === pastTheEnd) return new Uint8Array()
  if (response.status >= 400 && response.status < 500 && response.status !== 429) return null
  if (response.status !== ok && response.status !== partly) return yield* new StoreUnreachable()
  // A server without range support sends the whole file.
  return yield* Effect.timeoutOrElse(bytesIn(response, response.status === ok ? from : 0, most), {
    duration: calls.settings.timeout,
    orElse: () => Effect.fail(new StoreUnreachable())
  })
})

const newline = 10
const decoder = new TextDecoder()

interface Line {
  readonly start: number
  readonly value: unknown
  readonly parent: string | null
}

const lineOf = (bytes: Uint8Array, start: number, end: number): Line => {
  const value = parsed(decoder.decode(bytes.subarray(start, end)))
  return { start, value, parent: textAt(value, "__parentId") }
}

const linesIn = (bytes: Uint8Array, isEnd: boolean): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let start = 0
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push(lineOf(bytes, start, end))
    start = end + 1
  }
  if (isEnd && start < bytes.length) lines.push(lineOf(bytes, start, bytes.length))
  return lines
}

/** The complete records in a part of the file, and the start of the next record. */
const recordsIn = (kind: RecordKind, bytes: Uint8Array, isEnd: boolean) => {
  const lines = linesIn(bytes, isEnd)
  const roots = lines.flatMap((line, index) => (line.parent === null ? [index] : []))
  const ends = isEnd ? [...roots.slice(1), lines.length] : roots.slice(1)
  const raws = ends.map((end, place): Raw => {
    const [root, ...inside] = lines.slice(roots[place], end)
    return {
      node: root?.value,
      ...cutInside(
        kind,
        inside.map(({ value }) => value)
      )
    }
  })
  const last = ends.at(-1)
  return { raws, read: isEnd ? bytes.length : last === undefined ? 0 : (lines[last]?.start ?? 0) }
}

/** The next records of the file, from one part of it; `null` if the file is deleted. */
const nextRecords = (
  calls: Calls,
  kind: RecordKind,
  url: string,
  from: number,
  size: number
): Effect.Effect<
  { readonly raws: ReadonlyArray<Raw>; readonly read: number; readonly isEnd: boolean } | null,
  StoreRefused | StoreUnreachable
> =>
  Effect.flatMap(windowOf(calls, url, from, size), (bytes) => {
    if (bytes === null) return Effect.succeed(null)
    const isEnd = bytes.length < size
    const { raws, read } = recordsIn(kind, bytes, isEnd)
    if (raws.length > 0 || isEnd) return Effect.succeed({ raws, read, isEnd })
    return size >= lastWindow ? Effect.fail(failed("RECORD_TOO_LARGE")) : nextRecords(calls, kind, url, from, size * 2)
  })

const countIn = (data: unknown): number | null => {
  const count = Number(plainIdAt(data, "bulkOperation", "rootObjectCount") ?? Number.NaN)
  return Number.isSafeInteger(count) ? count : null
}

/** All records of a kind, from an export of the shop. It is read part by part, with at most one part in memory. */
export const exportOf = Effect.fnUntraced(function* <Kind extends RecordKind>(
  calls: Calls,
  access: ShopAccess,
  kind: Kind,
  checkpoint: string | null,
  since: DateTime.Utc | null
) {
  const place = checkpoint === null ? null : placeIn(checkpoint)
  if (place === null) return yield* begun(calls, access, kind, since, 1, null)
  const anew = (code: string) =>
    place.attempt >= mostAttempts
      ? Effect.fail(failed(code))
      : begun(calls, access, kind, since, place.attempt + 1, null)

  const { data } = yield* orTooCostly(
    calls.query(access, {
      name: "export_status",
      document: exportStatusDocument,
      variables: { id: `gid://shopify/BulkOperation/${place.operation}` }
    })
  )
  const status = textAt(data, "bulkOperation", "status")
  const total = countIn(data)
  if (status === "CREATED" || status === "RUNNING" || status === "CANCELING") {
    return { ...nothing, checkpoint: written(place), total: null }
  }
  const code = textAt(data, "bulkOperation", "errorCode") ?? status ?? "EXPIRED"
  if (code === "ACCESS_DENIED") {
    // A field was refused that the first record does not have: without any that may be.
    if (place.attempt >= mostAttempts) return yield* failed(code)
    return yield* begun(calls, access, kind, since, mostAttempts, personal)
  }
  if (status !== "COMPLETED") return yield* anew(code)

  const url = textAt(data, "bulkOperation", "url")
  if (url === null) return { ...nothing, checkpoint: null, total: 0 }
  const currency = shopCurrencyIn(data)
  if (currency === null || !URL.canParse(url)) return yield* new StoreUnreachable()
  const found = yield* nextRecords(calls, kind, url, place.byte, firstWindow)
  if (found === null) return yield* anew("EXPIRED")
  const byte = place.byte + found.read
  return {
    ...recordsOf(kind, { currency, shopDomain: access.shopDomain }, found.raws),
    checkpoint: found.isEnd ? null : written({ ...place, byte }),
    total
  }
})
