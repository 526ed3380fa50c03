import {
  baseMimeType,
  dropMedia,
  invalid,
  saveMedia,
  mediaKindOf,
  type MediaRefused,
  MediaView,
  mimeTypes,
  maxMediaBytes,
  readMedia,
  receiveMedia,
  type Tenancy
} from "@parley/domain"
import { Effect, Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "../../api/Api.ts"
import { anyType } from "../../api/media.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "../../api/problems.ts"
import { Repetition } from "../Idempotency.ts"
import { inItsTime } from "../StorageFaults.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

const write = HttpServerResponse.schemaJson(Schema.toCodecJson(MediaView))

const refused = ({ detail, reason }: MediaRefused, mimeType: string) => {
  switch (reason) {
    case "type":
      return new UnsupportedMediaType({ accepted: mimeTypes })
    case "size":
      return new PayloadTooLarge({ max: maxMediaBytes[mediaKindOf(mimeType) ?? "document"] })
    case "content":
      return invalid("", detail)
  }
}

/** The name in ASCII for old readers, and as it is for all others (RFC 6266). */
const attachment = (filename: string) => {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const whole = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/gu,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}

/** Where a file is shown in place all the same, nothing in it runs, and it reaches nothing. */
const sandboxed = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Files of messages. */
export const layerMedia = HttpApiBuilder.group(Api, "media", (handlers) =>
  Effect.map(Repetition, (repetition) =>
    withAnswerWriters(handlers).handleAll({
      upload: ({ headers: { "content-type": mimeType }, payload, query: { filename = null }, request }) =>
        Effect.gen(function* () {
          const digest = createHash("sha256")
          const bytes = payload.pipe(
            Stream.orDie,
            Stream.tap((piece) => Effect.sync(() => digest.update(piece)))
          )
          const media = yield* receiveMedia({ filename, mimeType }, bytes).pipe(
            Effect.catchTag("MediaRefused", (error) => Effect.fail(refused(error, mimeType)))
          )
          const answer = Effect.flatMap(saveMedia(media), (view) => Effect.orDie(write(view, { status: 201 })))
          // A file that came a second time is nobody's.
          return yield* repetition
            .once(request, `${mimeType} sha256:${digest.digest("hex")}`, answer)
            .pipe(Effect.ensuring(Effect.ignore(dropMedia(media))))
        }),
      download: Effect.fnUntraced(function* ({ params }) {
        const { bytes, media } = yield* readMedia(params.id)
        const within = yield* Effect.context<Tenancy>()
        return HttpServerResponse.stream(inItsTime(Stream.orDie(Stream.provideContext(bytes, within))), {
          // What a browser could do with a file of another type, nobody knows. Parameters are whatever somebody wrote.
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
