import { Bytes, Effect, Stream } from "effect"
import { invalid, layerPort, NotFound } from "../../kernel/index.ts"
import { ChannelUnreachable, type TemplateSample, TemplateSamples } from "../chat/index.ts"
import { MediaId } from "./Message.ts"
import { openMedia } from "./mediaDownloads.ts"
import { claimSendableFile } from "./writing/templateMessages.ts"

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
  if (accepted.includes(mimeType)) return
  return yield* invalid(pointer, `Expected a file of the type ${accepted.join(" or ")}, not ${mimeType}`)
})

const readFile = Effect.fnUntraced(function* ({ format, id }: TemplateSample) {
  const { bytes, media } = yield* openMedia(MediaId.make(id))
  const pieces = yield* Stream.runCollect(bytes)
  return { bytes: Bytes.concat(pieces), mimeType: media.mimeType, filename: media.filename ?? format }
})

const read = (sample: TemplateSample) => {
  const missing = new NotFound({ resource: "media", pointer: sample.pointer })
  return Effect.catchTags(readFile(sample), {
    NotFound: () => Effect.fail(missing),
    MediaGone: () => Effect.fail(missing),
    MediaUnavailable: () => Effect.fail(new ChannelUnreachable())
  })
}

/** Samples of templates from the media of the inbox. */
export const layerTemplateSamples = layerPort(TemplateSamples, { claim, read })
