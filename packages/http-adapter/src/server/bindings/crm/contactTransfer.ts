import { Effect, Schema, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { JobId } from "@parley/domain/platform"
import {
  ContactImport,
  ContactImportId,
  dropContactFile,
  exportContacts,
  getContactImport,
  importContacts,
  readImportIssues,
  receiveContactFile,
  type TransferFormat
} from "@parley/domain/crm"
import { ContactTransferApi, delimiterOf, mediaTypes } from "../../../api/contactTransfer.ts"
import { PayloadTooLarge } from "../../../api/problems.ts"
import { Repetition } from "../../Idempotency.ts"
import { ServerConfig } from "../../ServerConfig.ts"
import { asFile, formatWanted } from "../../answers/fileAnswers.ts"
import { ada, at, tag } from "../../examples/samples.ts"
import { withFaultPointers } from "../../faults.ts"
import { bindWith, inQuery } from "../bind.ts"
import { listRequestOf } from "./contactQuery.ts"

const asked = new ContactImport({
  id: ContactImportId.make("01934bb0-1a2b-7c99-8d11-8293041526a7"),
  jobId: JobId.make("01934bb0-1a2c-7daa-9e22-93a4b5c6d7e8"),
  state: "queued",
  format: "csv",
  dryRun: false,
  onExisting: "update",
  createTags: true,
  country: "DE",
  tags: [tag.id],
  mapping: [
    { column: "E-mail", target: "email" },
    { column: "Name", target: "name" }
  ],
  columns: [
    { name: "E-mail", field: "email" },
    { name: "Name", field: "name" },
    { name: "Notes", field: null }
  ],
  unknownColumns: ["Notes"],
  strict: false,
  tagSeparator: "semicolon",
  progress: { done: 0, total: 1_048_576 },
  counts: { rows: 0, created: 0, updated: 0, unchanged: 0, bad: 0, suppressed: 0, unknownIds: 0 },
  outcome: null,
  summary: null,
  error: null,
  errorCode: null,
  errorsUrl: null,
  createdBy: { kind: "user", id: ada.id },
  createdAt: at("12:00:00.000"),
  finishedAt: null
})

const done = new ContactImport({
  ...asked,
  state: "succeeded",
  progress: { done: 1_048_576, total: 1_048_576 },
  counts: { rows: 12_500, created: 11_900, updated: 400, unchanged: 190, bad: 10, suppressed: 3, unknownIds: 0 },
  outcome: "partial",
  summary: "12490 of 12500 rows were imported: 11900 created, 400 updated, 190 unchanged. 10 rows are invalid.",
  errorsUrl: `/api/v1/contacts/imports/${asked.id}/errors`,
  finishedAt: at("12:00:04.210")
})

const write = HttpServerResponse.schemaJson(Schema.toCodecJson(ContactImport))

/** Places issues of the file in the body and all others in the query. */
const ofImport = (pointer: string) => (pointer === "" ? "" : `/query${pointer}`)

const formatOf = (request: HttpServerRequest.HttpServerRequest): TransferFormat =>
  request.headers["content-type"]?.toLowerCase().startsWith(mediaTypes.ndjson) === true ? "ndjson" : "csv"

export const contactTransfer = bindWith(
  ContactTransferApi,
  {
    import: { uses: importContacts, request: Stream.empty, response: asked },
    getImport: { runs: getContactImport, response: done },
    importErrors: { uses: readImportIssues, response: Stream.empty },
    export: { uses: exportContacts, response: Stream.empty }
  },
  (handlers) =>
    Effect.gen(function* () {
      const { maxImportBytes } = yield* ServerConfig
      const repetition = yield* Repetition

      /** Streams the bytes into storage. Their type is known only at the end. */
      const receive = Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest,
        bytes: Stream.Stream<Uint8Array, unknown>
      ) {
        if (Number(request.headers["content-length"] ?? 0) > maxImportBytes) {
          return yield* new PayloadTooLarge({ max: maxImportBytes })
        }
        const digest = createHash("sha256")
        const file = yield* receiveContactFile({
          bytes: bytes.pipe(
            Stream.orDie,
            Stream.tap((piece) => Effect.sync(() => digest.update(piece)))
          ),
          max: maxImportBytes
        }).pipe(Effect.catchTag("FileTooLarge", ({ max }) => Effect.fail(new PayloadTooLarge({ max }))))
        return { file, digest: digest.digest("hex") }
      })

      return handlers.handleAll({
        import: ({ endpoint, payload, query, request }) =>
          Effect.gen(function* () {
            const { delimiter, map, tag, ...input } = query
            const format = formatOf(request)
            const { digest, file } = yield* receive(request, payload)
            const answer = importContacts({
              file,
              ...input,
              format,
              ...(map !== undefined && { map }),
              ...(tag !== undefined && { tags: tag }),
              ...(delimiter !== undefined && { delimiter: delimiterOf(delimiter) })
            }).pipe(
              withFaultPointers(ofImport),
              Effect.flatMap((asked) => Effect.orDie(write(asked, { status: 202 })))
            )
            // Deletes a rejected or repeated file, because no resource uses it.
            return yield* repetition
              .once({ request, endpoint, body: `${format} sha256:${digest}` }, answer)
              .pipe(Effect.ensuring(Effect.ignore(dropContactFile({ id: file.id }))))
          }),
        importErrors: ({ params }) =>
          Effect.map(readImportIssues(params), (bytes) => asFile(bytes, "csv", "contact-import-errors")),
        export: ({ query: { format, ...query }, request }) => {
          const chosen = formatWanted(request, format)
          return exportContacts({ ...listRequestOf(query), format: chosen }).pipe(
            withFaultPointers(inQuery),
            Effect.map((bytes) => asFile(bytes, chosen, "contacts"))
          )
        }
      })
    })
)
