import { ChannelUnreachable } from "@parley/domain/messaging"
import { Effect, Stream } from "effect"
import { authorized, nextId, type Provider, refused } from "./provider.ts"
import type { WholeChannel } from "./WholeChannel.ts"

export const addFile = (provider: Provider, bytes: Uint8Array, mimeType: string) => {
  const id = nextId(provider, "4")
  provider.files.set(id, { bytes, mimeType })
  return id
}

export const makeMedia = (provider: Provider): WholeChannel["media"] => {
  const { files, links } = provider
  return {
    upload: (line, { bytes, mimeType }) =>
      Effect.map(authorized(provider, line), () => addFile(provider, bytes, mimeType)),
    download: Effect.fnUntraced(function* (line, mediaId, most) {
      yield* authorized(provider, line)
      const file = files.get(mediaId)
      if (file === undefined) return yield* refused(100, "give_up", "There is no such file.")
      const { bytes, mimeType } = file
      if (bytes.length > most) return yield* refused(131_052, "give_up", `The file is larger than ${most} bytes.`)
      return { mimeType, size: bytes.length, bytes: Stream.succeed(bytes) }
    }),
    fetchLink: Effect.fnUntraced(function* (link, most) {
      if (new URL(link).hostname.endsWith(".invalid")) return yield* new ChannelUnreachable()
      const file = links.get(link)
      if (file === undefined) return yield* refused(131_052, "give_up", "The host answered 404.")
      const { bytes, mimeType } = file
      if (bytes.length > most) return yield* refused(131_052, "give_up", `The file is larger than ${most} bytes.`)
      return { mimeType, size: bytes.length, bytes: Stream.succeed(bytes) }
    })
  }
}
