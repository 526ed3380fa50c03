import { Stream } from "effect"
import type { FileBytes } from "./PromiseClient.ts"

const isReadable = (file: FileBytes): file is ReadableStream<Uint8Array> => file instanceof ReadableStream

const unread = (cause: unknown) => new Error("The file could not be read", { cause })

/** The bytes of a file as they are sent. */
export const bytesOf = (file: FileBytes): Stream.Stream<Uint8Array, Error> => {
  if (file instanceof Uint8Array) return Stream.make(file)
  if (file instanceof Blob) return Stream.fromReadableStream({ evaluate: () => file.stream(), onError: unread })
  return isReadable(file)
    ? Stream.fromReadableStream({ evaluate: () => file, onError: unread })
    : Stream.fromAsyncIterable(file, unread)
}

/** Whether a part of a request can be sent once only: what reads a stream leaves nothing for another time. */
export const isSentOnce = (payload: unknown): boolean =>
  typeof payload === "object" &&
  payload !== null &&
  (payload instanceof ReadableStream || Symbol.asyncIterator in payload)
