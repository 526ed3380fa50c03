import { type Organization, runDueJobs } from "@parley/domain/platform"
import {
  type Contact,
  Contacts,
  anyContact,
  getContactImport,
  importContacts,
  type ImportRequest,
  readImportIssues,
  receiveContactFile,
  type ContactImport,
  listTags
} from "@parley/domain/crm"
import { layerJobKinds } from "@parley/domain/composition"
import { asOperatorOf, asOwnerOf } from "@parley/testkit"
import { Effect, Stream } from "effect"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const most = 1_000_000_000

/** The file arrives, in pieces that end anywhere. */
export const receive = (organization: Organization, text: string, piece = 1_000) => {
  const bytes = encoder.encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    bytes.subarray(at * piece, (at + 1) * piece)
  )
  return receiveContactFile({ bytes: Stream.fromIterable(pieces), max: most }).pipe(
    asOwnerOf(organization),
    Effect.orDie
  )
}

/** Requests the import of a file as the owner. */
export const ask = Effect.fnUntraced(function* (
  organization: Organization,
  text: string,
  request: Partial<ImportRequest> = {}
) {
  const file = yield* receive(organization, text)
  return yield* importContacts({ file, format: "csv", ...request }).pipe(asOwnerOf(organization))
})

/** A node that works until there is nothing to do. */
export const work = Effect.provide(runDueJobs, layerJobKinds, { local: true })

export const read = (organization: Organization, { id }: Pick<ContactImport, "id">) =>
  getContactImport({ id }).pipe(asOwnerOf(organization), Effect.orDie)

/** Imports a file to its end. */
export const importAll = Effect.fnUntraced(function* (
  organization: Organization,
  text: string,
  request: Partial<ImportRequest> = {}
) {
  const asked = yield* Effect.orDie(ask(organization, text, request))
  yield* work
  return yield* read(organization, asked)
})

/** All contacts, oldest first. */
export const everyone = (organization: Organization): Effect.Effect<ReadonlyArray<Contact>, never, Contacts> =>
  Effect.flatMap(Contacts, (contacts) =>
    contacts.list({ filter: anyContact, search: null, sort: "createdAt" }, { limit: 100_000, after: null })
  ).pipe(
    Effect.map(({ rows }) => rows),
    asOperatorOf(organization)
  )

/** The complete text of a stream. */
export const textOf = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(
    Stream.runCollect(bytes),
    (pieces) => pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()
  )

/** The bad rows, as lines of CSV without the header. */
export const faultLines = Effect.fnUntraced(function* (organization: Organization, { id }: Pick<ContactImport, "id">) {
  const csv = yield* readImportIssues({ id }).pipe(Effect.flatMap(textOf), asOwnerOf(organization), Effect.orDie)
  return csv.split("\r\n").slice(1, -1)
})

/** The names of the tags by their ids. */
export const tagNames = (organization: Organization) =>
  listTags({ page: { limit: 100, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => new Map(data.map(({ id, name }) => [id, name] as const))),
    Effect.orDie
  )
