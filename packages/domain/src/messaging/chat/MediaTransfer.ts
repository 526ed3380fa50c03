import type { Effect, Stream } from "effect"
import type { ChannelFailure } from "./ChannelErrors.ts"
import type { Line } from "./Line.ts"

/** A file that goes to a provider, whole. */
export interface UploadedFile {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly filename: string
}

/** A file that comes from a provider, piece by piece. */
export interface DownloadedFile {
  readonly mimeType: string
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, ChannelFailure>
}

/** Moves the files of messages to a provider that keeps them, and from there. */
export interface MediaTransfer {
  /** Gives the provider's id of the file. */
  readonly upload: (line: Line, file: UploadedFile) => Effect.Effect<string, ChannelFailure>
  /** Fetches a file, refusing one that is larger than `most` bytes. */
  readonly download: (line: Line, mediaId: string, most: number) => Effect.Effect<DownloadedFile, ChannelFailure>
}
