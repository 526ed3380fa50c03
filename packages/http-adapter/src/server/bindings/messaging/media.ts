import { Effect, Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { invalid, type Tenancy } from "@parley/domain/kernel"
import {
  baseMimeType,
  dropMedia,
  maxMediaBytes,
  mediaKindOf,
  type MediaRefused,
  MediaView,
  mimeTypes,
  readMedia,
  receiveMedia,
  saveMedia,
  uploadMedia
} from "@parley/domain/messaging"
import { anyType, MediaApi } from "../../../api/media.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "../../../api/problems.ts"
import { Repetition } from "../../Idempotency.ts"
import { inItsTime } from "../../StorageFaults.ts"
import { media as file } from "../../examples/inbox.ts"
import { bindWith } from "../bind.ts"

const write = HttpServerResponse.schemaJson(Schema.toCodecJson(MediaView))

const refused = ({ detail, max, reason }: MediaRefused, mimeType: string) => {
  switch (reason) {
    case "type":
      return new UnsupportedMediaType({ accepted: mimeTypes })
    case "size":
      return new PayloadTooLarge({ max: max ?? maxMediaBytes[mediaKindOf(mimeType) ?? "document"] })
    case "content":
      return invalid("", detail)
  }
}

/** File name in ASCII for old clients, and unchanged for all others (RFC 6266). */
const attachment = (filename: string) => {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const whole = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/gu,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}

/** Policy for files that a browser shows inline: no scripts and no requests. */
const sandboxed = "sandbox; default-src 'none'; frame-ancestors 'none'"

export const media = bindWith(
  MediaApi,
  {
    upload: { uses: uploadMedia, request: Stream.empty, response: file },
    download: { uses: readMedia, response: Stream.empty }
  },
  (handlers) =>
    Effect.map(Repetition, (repetition) =>
      handlers.handleAll({
        upload: ({ endpoint, headers: { "content-type": mimeType }, payload, query: { filename = null }, request }) =>
          Effect.gen(function* () {
            const digest = createHash("sha256")
            const bytes = payload.pipe(
              Stream.orDie,
              Stream.tap((piece) => Effect.sync(() => digest.update(piece)))
            )
            const media = yield* receiveMedia({ filename, mimeType, bytes }).pipe(
              Effect.catchTag("MediaRefused", (error) => Effect.fail(refused(error, mimeType)))
            )
            const answer = Effect.flatMap(saveMedia(media), (view) => Effect.orDie(write(view, { status: 201 })))
            // Deletes a repeated file, because no message uses it.
            return yield* repetition
              .once({ request, endpoint, body: `${mimeType} sha256:${digest.digest("hex")}` }, answer)
              .pipe(Effect.ensuring(Effect.ignore(dropMedia(media))))
          }),
        download: Effect.fnUntraced(function* ({ params }) {
          const { bytes, media } = yield* readMedia(params)
          const within = yield* Effect.context<Tenancy>()
          return HttpServerResponse.stream(inItsTime(Stream.orDie(Stream.provideContext(bytes, within))), {
            // Other types are unsafe in a browser. Senders can set any parameters.
            contentType: mediaKindOf(media.mimeType) === null ? anyType : baseMimeType(media.mimeType),
            ...(media.size !== null && { contentLength: media.size }),
            headers: {
              "content-disposition": attachment(media.filename ?? media.id),
              "content-security-policy": sandboxed,
              "cross-origin-resource-policy": "same-origin",
              "cache-control": "no-store",
              "x-accel-buffering": "no"
            }
          })
        })
      })
    )
)
