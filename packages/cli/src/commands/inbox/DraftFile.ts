import { ConversationId } from "@parley/domain/messaging"
import type { Settings } from "@parley/service/configuration"
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { configFolder, writePrivately } from "../../profiles/ProfileFolder.ts"

/** Unsent drafts, and the answer without a known result. */
const Drafts = Schema.Struct({
  drafts: Schema.ReadonlyMap(ConversationId, Schema.String),
  sending: Schema.NullOr(Schema.Struct({ conversation: ConversationId, text: Schema.String, key: Schema.String }))
})
export type Drafts = typeof Drafts.Type

const noDrafts = (): Drafts => ({ drafts: new Map(), sending: null })

const Contents = Schema.fromJsonString(Schema.toCodecJson(Drafts))

/** File that stores drafts between inbox sessions, readable by this user only. */
export interface DraftFile {
  readonly read: Effect.Effect<Drafts>
  readonly write: (drafts: Drafts) => Effect.Effect<void>
}

/** Opens the drafts of an organization. If they cannot be stored, they last as long as the inbox. */
export const draftFile = Effect.fnUntraced(function* (settings: Settings, organization: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* configFolder(settings)
  if (Option.isNone(root)) return { read: Effect.sync(noDrafts), write: () => Effect.void } satisfies DraftFile
  const folder = path.join(root.value, "drafts")
  const file = path.join(folder, `${organization}.json`)
  return {
    read: fs.readFileString(file).pipe(Effect.flatMap(Schema.decodeEffect(Contents)), Effect.orElseSucceed(noDrafts)),
    write: (drafts) =>
      Effect.gen(function* () {
        if (drafts.drafts.size === 0 && drafts.sending === null) return yield* fs.remove(file, { force: true })
        yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
        yield* writePrivately(file, `${yield* Schema.encodeEffect(Contents)(drafts)}\n`)
      }).pipe(Effect.provideService(FileSystem.FileSystem, fs), Effect.ignore)
  } satisfies DraftFile
})
