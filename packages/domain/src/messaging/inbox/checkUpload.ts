import { Effect, Stream } from "effect"
import { MediaRefused } from "./Errors.ts"
import { isFileOfType, mimeTypes, mostBytes, tellingBytes } from "./files.ts"
import { type Media } from "./Media.ts"

export const refuseType = (mimeType: string) =>
  new MediaRefused({
    reason: "type",
    detail: `Files of the type ${mimeType} cannot be sent. Expected one of ${mimeTypes.join(", ")}.`
  })

const refuseSize = (kind: Media["kind"]) =>
  new MediaRefused({
    reason: "size",
    detail: `The file is larger than ${mostBytes[kind]} bytes, which is the most for a file of the kind ${kind}.`
  })

const refuseContent = (mimeType: string) =>
  new MediaRefused({ reason: "content", detail: `What is in the file is not of the type ${mimeType}.` })

/** The bytes, as long as they are of this type and not too many. Nothing is handed on before its first bytes are known. */
export const checkUpload = (bytes: Stream.Stream<Uint8Array>, mimeType: string, kind: Media["kind"]) =>
  Stream.suspend(() => {
    let size = 0
    let head = new Uint8Array(0)
    let held: Array<Uint8Array> = []
    let isKnown = false

    const check = () => {
      if (!isFileOfType(mimeType, head)) return Effect.fail(refuseContent(mimeType))
      isKnown = true
      const pieces = held
      held = []
      return Effect.succeed(pieces)
    }

    const pass = (piece: Uint8Array) => {
      size += piece.length
      if (size > mostBytes[kind]) return Effect.fail(refuseSize(kind))
      if (isKnown) return Effect.succeed([piece])
      held.push(piece.slice())
      head = Uint8Array.from([...head, ...piece.slice(0, tellingBytes - head.length)])
      return head.length < tellingBytes ? Effect.succeed([]) : check()
    }

    const rest = Stream.unwrap(
      Effect.map(
        Effect.suspend(() => (isKnown ? Effect.succeed([]) : check())),
        Stream.fromIterable
      )
    )
    return bytes.pipe(Stream.mapEffect(pass), Stream.flatMap(Stream.fromIterable), Stream.concat(rest))
  })
