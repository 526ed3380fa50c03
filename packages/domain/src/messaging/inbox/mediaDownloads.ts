import { Context, DateTime, Duration, Effect, Layer, Schema, Semaphore, Stream } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import { FileId, Files } from "../../platform/files/index.ts"
import {
  channelFor,
  type ChatAccount,
  type ChatAccountId,
  ChatAccounts,
  openProviderConnection
} from "../chat/index.ts"
import { Media, MediaLibrary, toMediaView } from "./MediaLibrary.ts"
import type { MediaId } from "./Message.ts"
import { MediaGone, MediaUnavailable } from "./errors.ts"
import { checkFile } from "./fileChecks.ts"
import { baseMimeType, maxMediaBytes, mediaKindOf } from "./mediaTypes.ts"

type TransferLock = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Maximum number of large files in the memory of a process. */
const maxLargeFiles = 3

/** Locks for file transfers of this process. */
export class MediaTransferLocks extends Context.Service<
  MediaTransferLocks,
  {
    /** Serializes downloads of a file. The second caller finds the file that the first one has fetched. */
    readonly fetching: (id: MediaId) => TransferLock
    /** Limits concurrent uploads of large files, because a file is completely in memory during its upload. */
    readonly handingOn: TransferLock
  }
>()("@parley/domain/messaging/inbox/MediaTransferLocks") {
  /** Provides the locks of this process. */
  static readonly layer = Layer.effect(
    MediaTransferLocks,
    Effect.gen(function* () {
      const turns = new Map<MediaId, { readonly turn: Semaphore.Semaphore; waiting: number }>()
      const largeFiles = yield* Semaphore.make(maxLargeFiles)
      return MediaTransferLocks.of({
        fetching: (id) => (effect) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              const place = turns.get(id) ?? { turn: Semaphore.makeUnsafe(1), waiting: 0 }
              place.waiting += 1
              turns.set(id, place)
              return place
            }),
            ({ turn }) => turn.withPermit(effect),
            (place) =>
              Effect.sync(() => {
                place.waiting -= 1
                if (place.waiting === 0) turns.delete(id)
              })
          ),
        handingOn: (effect) => largeFiles.withPermit(effect)
      })
    })
  )
}

/** The provider refuses to deliver the file; `forGood` if another request is useless. */
class DownloadRefused extends Schema.TaggedError<DownloadRefused>()("Refused", { forGood: Schema.Boolean }) {}

const finalRefusal = new DownloadRefused({ forGood: true })
const temporaryRefusal = new DownloadRefused({ forGood: false })

const limitSize =
  (most: number) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>) =>
    Stream.suspend(() => {
      let size = 0
      return Stream.mapEffect(bytes, (piece) => {
        size += piece.length
        return size > most ? Effect.fail(temporaryRefusal) : Effect.succeed(piece)
      })
    })

/** Maximum retention at providers. After this time a refusal means that the file is lost. */
const providerRetention = Duration.days(30)

const hasElapsed = (now: DateTime.Utc, begun: DateTime.Utc, duration: Duration.Duration) =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(begun, duration))

/** Fails for a file whose account was removed. The account can be connected again while the provider stores the file. */
const failWithoutAccount = Effect.fnUntraced(function* (createdAt: DateTime.Utc, id: ChatAccountId) {
  const isRemoved = (yield* (yield* ChatAccounts).removed()).some(({ account }) => account.id === id)
  if (!isRemoved || hasElapsed(yield* DateTime.now, createdAt, providerRetention))
    return yield* new DownloadRefused({ forGood: true })
  return yield* new MediaUnavailable()
})

/** Opens the file at the provider, or at its link. */
const openRemote = Effect.fnUntraced(function* (
  account: ChatAccount,
  remote: NonNullable<Media["remote"]>,
  { kind, mimeType }: Media
) {
  const transfer = yield* channelFor(account, "media")
  if ("mediaId" in remote) {
    const line = yield* openProviderConnection(account)
    const { bytes } = yield* transfer.download(line, remote.mediaId, maxMediaBytes[kind])
    return { mimeType, bytes }
  }
  const file = yield* transfer.fetchLink(remote.link, maxMediaBytes[kind])
  const type = baseMimeType(file.mimeType)
  if (mediaKindOf(type) !== kind) return yield* finalRefusal
  return { mimeType: type, bytes: checkFile(file.bytes, type, kind) }
})

const download = Effect.fnUntraced(
  function* (media: Media, remote: NonNullable<Media["remote"]>) {
    const { createdAt, kind } = media
    const [account] = yield* (yield* ChatAccounts).find([remote.chatAccountId])
    if (account === undefined) return yield* failWithoutAccount(createdAt, remote.chatAccountId)
    const { bytes, mimeType } = yield* openRemote(account, remote, media)
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, limitSize(maxMediaBytes[kind])(bytes))
    return { fileId, mimeType, size }
  },
  (effect, _media, remote) =>
    Effect.mapError(effect, (error) => {
      if (error._tag === "Refused") return error
      if (error._tag === "MediaRefused") return finalRefusal
      // This refusal is about the file itself. All other refusals are temporary, or can be fixed.
      if (error._tag !== "ChannelRefused" || error.remedy !== "give_up") return new MediaUnavailable()
      return "link" in remote ? finalRefusal : temporaryRefusal
    })
)

/** Stores the fetched file, unless another node was faster or the file was erased concurrently. */
const saveDownload = Effect.fnUntraced(function* (
  media: Media,
  { fileId, mimeType, size }: { readonly fileId: FileId; readonly mimeType: string; readonly size: number }
) {
  const library = yield* MediaLibrary
  const stored = new Media({ ...media, mimeType, state: "stored", fileId, size, refusedSince: null })
  if (yield* library.save(stored)) return stored
  yield* (yield* Files).remove(fileId)
  return yield* library.get(media.id)
}, transact)

/** A provider that still refuses after this time no longer has the file. */
const refusalTimeout = Duration.hours(1)

/** Stores the refusal, and marks the file as lost if the refusal is final. */
const saveRefusal = Effect.fnUntraced(function* (media: Media, { forGood }: DownloadRefused) {
  const now = yield* DateTime.now
  const refusedSince = media.refusedSince ?? now
  const isLost =
    forGood || hasElapsed(now, refusedSince, refusalTimeout) || hasElapsed(now, media.createdAt, providerRetention)
  const after = new Media({ ...media, state: isLost ? "lost" : media.state, refusedSince })
  const isStored = !(yield* (yield* MediaLibrary).save(after))
  return isLost && !isStored ? new MediaGone() : new MediaUnavailable()
}, transact)

/** Returns the file, fetched if necessary. Call it outside a unit of work, because it can call the provider. */
const ensureDownloaded = Effect.fnUntraced(
  function* (id: MediaId) {
    const media = yield* (yield* MediaLibrary).get(id)
    if (media.state === "stored") return media
    if (media.state === "lost" || media.remote === null) return yield* new MediaGone()
    const file = yield* Effect.catchTag(download(media, media.remote), "Refused", (refusal) =>
      Effect.flatMap(saveRefusal(media, refusal), Effect.fail)
    )
    return yield* saveDownload(media, file)
  },
  (effect, id) => Effect.flatMap(MediaTransferLocks, ({ fetching }) => fetching(id)(effect))
)

/** Returns a file with its bytes, fetched from the provider if necessary. Call it outside a unit of work. */
export const openMedia = Effect.fnUntraced(function* (id: MediaId) {
  const known = yield* (yield* MediaLibrary).get(id)
  const media = known.state === "stored" ? known : yield* ensureDownloaded(id)
  const { fileId } = media
  if (fileId === null) return yield* new MediaGone()
  return { media: toMediaView(media), bytes: (yield* Files).read(fileId, 0) }
})
