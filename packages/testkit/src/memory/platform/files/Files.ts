import { NotFound } from "@parley/domain/kernel"
import { Files } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer, Stream } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const sizeOfPiece = 64 * 1024

const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

const piecesFrom = (bytes: Uint8Array, from: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.max(0, Math.ceil((bytes.length - from) / sizeOfPiece)) }, (_, number) =>
    bytes.slice(from + number * sizeOfPiece, from + (number + 1) * sizeOfPiece)
  )

const add = (pieces: Array<Uint8Array>, piece: Uint8Array) => {
  // A copy: the source may use its buffer again.
  pieces.push(piece.slice())
  return pieces
}

export const layer = Layer.effect(
  Files,
  Effect.map(Store, (store) =>
    Files.of({
      write: Effect.fnUntraced(function* (id, bytes) {
        const begunAt = yield* DateTime.now
        yield* store
          .writeTenant(({ files }) =>
            HashMap.has(files, id)
              ? [Effect.die(new Error("The id is that of another file.")), {}]
              : [Effect.void, { files: HashMap.set(files, id, { begunAt, bytes: null }) }]
          )
          .pipe(Effect.flatten)
        const content = joined(yield* Stream.runFold(bytes, (): Array<Uint8Array> => [], add))
        yield* store
          .writeTenant(({ files }) =>
            HashMap.has(files, id)
              ? [Effect.void, { files: HashMap.set(files, id, { begunAt, bytes: content }) }]
              : [Effect.die(new Error("The file was swept while it was written.")), {}]
          )
          .pipe(Effect.flatten)
        return { size: content.length }
      }),
      read: (id, from) =>
        store
          .readTenant(({ files }) => rowAt(files, id)?.bytes ?? null)
          .pipe(
            Effect.filterOrFail(
              (bytes) => bytes !== null,
              () => new NotFound({ resource: "file" })
            ),
            Effect.map((bytes) => Stream.fromIterable(piecesFrom(bytes, from))),
            Stream.unwrap
          ),
      remove: (id) => store.writeTenant(({ files }) => [undefined, { files: HashMap.remove(files, id) }])
    })
  )
)
