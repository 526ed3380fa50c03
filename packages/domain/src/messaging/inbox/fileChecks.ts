import { Effect, Stream } from "effect"
import { formatBytes } from "../../kernel/index.ts"
import type { MediaKind } from "../chat/index.ts"
import { MediaRefused } from "./errors.ts"
import { isFileOfType, maxBytesOf, maxMediaBytes, signatureBytes } from "./mediaTypes.ts"

const refuseSize = (kind: MediaKind, most: number) =>
  new MediaRefused({
    reason: "size",
    max: most,
    detail: `The file exceeds ${formatBytes(most)}, the maximum for this file of the kind ${kind}.`
  })

const refuseContent = (mimeType: string) =>
  new MediaRefused({ reason: "content", detail: `The content of the file does not match the type ${mimeType}.` })

/** Checks the type and the size of the bytes while streaming. No byte is forwarded before the first ones are checked. */
export const checkFile = <E>(bytes: Stream.Stream<Uint8Array, E>, mimeType: string, kind: MediaKind) =>
  Stream.suspend(() => {
    let size = 0
    let head = new Uint8Array(0)
    let held: Array<Uint8Array> = []
    let isKnown = false
    let most = maxMediaBytes[kind]

    const check = () => {
      if (!isFileOfType(mimeType, head)) return Effect.fail(refuseContent(mimeType))
      most = maxBytesOf(kind, head)
      if (size > most) return Effect.fail(refuseSize(kind, most))
      isKnown = true
      const pieces = held
      held = []
      return Effect.succeed(pieces)
    }

    const pass = (piece: Uint8Array) => {
      size += piece.length
      if (size > most) return Effect.fail(refuseSize(kind, most))
      if (isKnown) return Effect.succeed([piece])
      held.push(piece.slice())
      head = Uint8Array.from([...head, ...piece.slice(0, signatureBytes - head.length)])
      return head.length < signatureBytes ? Effect.succeed([]) : check()
    }

    const rest = Stream.unwrap(
      Effect.map(
        Effect.suspend(() => (isKnown ? Effect.succeed([]) : check())),
        Stream.fromIterable
      )
    )
    return bytes.pipe(Stream.mapEffect(pass), Stream.flatMap(Stream.fromIterable), Stream.concat(rest))
  })
