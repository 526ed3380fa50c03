import { Bytes, Effect, Stream } from "effect"
import { invalid, layerPort, NotFound } from "../../kernel/index.ts"
import { Files } from "../../platform/files/index.ts"
import { type TemplateSample, TemplateSamples } from "../chat/index.ts"
import { MediaLibrary } from "./MediaLibrary.ts"
import { MediaId } from "./Message.ts"
import { claimSendableFile } from "./writing/templateMessages.ts"

/** A gif is a short video. */
const maxGifBytes = 3.5 * 1024 * 1024

/** Types that the provider's upload of samples accepts. */
const sampleTypes: Readonly<Record<TemplateSample["format"], ReadonlyArray<string>>> = {
  image: ["image/jpeg", "image/png"],
  video: ["video/mp4"],
  gif: ["video/mp4"],
  document: ["application/pdf"]
}

const claim = Effect.fnUntraced(function* ({ format, id, pointer }: TemplateSample) {
  const kind = format === "gif" ? "video" : format
  const { mimeType } = yield* claimSendableFile(MediaId.make(id), kind, pointer)
  const accepted = sampleTypes[format]
  if (!accepted.includes(mimeType)) {
    return yield* invalid(pointer, `Expected a file of the type ${accepted.join(" or ")}, not ${mimeType}`)
  }
  const { size } = yield* Effect.orDie((yield* MediaLibrary).get(MediaId.make(id)))
  if (format === "gif" && (size ?? 0) > maxGifBytes) {
    return yield* invalid(pointer, `Expected a file of at most ${maxGifBytes} bytes for a gif`)
  }
})

// A claimed file is stored, so its bytes are never at a provider only.
const read = Effect.fnUntraced(function* ({ format, id, pointer }: TemplateSample) {
  const missing = new NotFound({ resource: "media", pointer })
  const media = yield* Effect.mapError((yield* MediaLibrary).get(MediaId.make(id)), () => missing)
  if (media.fileId === null) return yield* missing
  const pieces = yield* Stream.runCollect((yield* Files).read(media.fileId, 0))
  return { bytes: Bytes.concat(pieces), mimeType: media.mimeType, filename: media.filename ?? format }
})

/** Samples of templates from the media of the inbox. */
export const layerTemplateSamples = layerPort(TemplateSamples, { claim, read })
