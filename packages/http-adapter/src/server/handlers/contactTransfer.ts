import {
  ContactImport,
  dropContactFile,
  exportContacts,
  getContactImport,
  importContacts,
  readImportIssues,
  receiveContactFile,
  type TransferFormat
} from "@parley/domain"
import { Effect, Schema, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../../api/Api.ts"
import { delimiterOf, mediaTypes } from "../../api/contactTransfer.ts"
import { PayloadTooLarge } from "../../api/problems.ts"
import { Repetition } from "../Idempotency.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { inItsTime } from "../StorageFaults.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"
import { inQuery, listRequestOf } from "./contacts.ts"

const accepts = (request: HttpServerRequest.HttpServerRequest, mediaType: string) =>
  request.headers.accept?.toLowerCase().includes(mediaType) === true

/** Selects the format: the query parameter, else `Accept`. */
export const formatWanted = (
  request: HttpServerRequest.HttpServerRequest,
  said: TransferFormat | undefined
): TransferFormat =>
  said ?? (accepts(request, mediaTypes.ndjson) && !accepts(request, mediaTypes.csv) ? "ndjson" : "csv")

/** File answer of any length. */
export const asFile = (bytes: Stream.Stream<Uint8Array>, format: TransferFormat, name: string) =>
  HttpServerResponse.stream(inItsTime(bytes), {
    contentType: format === "csv" ? "text/csv; charset=utf-8" : mediaTypes.ndjson,
    headers: {
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "cache-control": "no-store",
      "x-accel-buffering": "no"
    }
  })

const write = HttpServerResponse.schemaJson(Schema.toCodecJson(ContactImport))

/** Places issues of the file in the body and all others in the query. */
const ofImport = (pointer: string) => (pointer === "" ? "" : `/query${pointer}`)

const formatOf = (request: HttpServerRequest.HttpServerRequest): TransferFormat =>
  request.headers["content-type"]?.toLowerCase().startsWith(mediaTypes.ndjson) === true ? "ndjson" : "csv"

export const layerContactTransfer = HttpApiBuilder.group(Api, "contactTransfer", (handlers) =>
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

    return withAnswerWriters(handlers).handleAll({
      import: ({ endpoint, payload, query, request }) =>
        Effect.gen(function* () {
          const { delimiter, map, tag, ...said } = query
          const format = formatOf(request)
          const { digest, file } = yield* receive(request, payload)
          const answer = importContacts({
            file,
            ...said,
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
      getImport: ({ params }) => getContactImport(params),
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
