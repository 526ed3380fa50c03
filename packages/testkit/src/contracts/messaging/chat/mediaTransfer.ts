import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Stream } from "effect"
import { has } from "./has.ts"
import { bytes } from "./outgoing.ts"
import { ChannelSide, MediaSide } from "./sides.ts"

/** Contract of file downloads from a provider. Uses real time because of sockets. */
export const mediaTransferContract = <E>(name: string, adapter: Layer.Layer<ChannelSide | MediaSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`MediaTransfer: ${name}`, (it) => {
    it.effect("brings a file up and down unchanged, and none that is too large", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const { file } = yield* MediaSide
        const { download } = yield* has(channel.media)
        const id = yield* file(bytes, "image/png")
        const down = yield* download(line, id, bytes.length)
        assert.deepStrictEqual([down.mimeType, down.size], ["image/png", bytes.length])
        assert.deepStrictEqual(Buffer.concat(yield* Stream.runCollect(down.bytes)), Buffer.from(bytes))
        const error = yield* Effect.flip(download(line, id, bytes.length - 1))
        assert.strictEqual(error._tag, "ChannelRefused")
        const absent = yield* Effect.flip(download(line, "499999999999999", 10))
        assert.strictEqual(absent._tag === "ChannelRefused" && absent.remedy, "give_up")
      })
    )
  })
