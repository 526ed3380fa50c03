import { assert } from "@effect/vitest"
import { FileId, Media, MediaId, MediaLibrary, transact } from "@parley/domain"
import { Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { evening, inNewOrganization } from "../crm/given.ts"
import { freshId } from "../given.ts"
import { newMedia } from "./given.ts"

const plain = Schema.encodeSync(Media)

/** What every `MediaLibrary` promises. */
export const mediaLibrary: StorageContract = {
  port: "MediaLibrary",
  promises: (it) => {
    it.effect("gives media back as they were stored", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const library = yield* MediaLibrary
          const remote = newMedia()
          const stored = newMedia({
            kind: "document",
            mimeType: "application/pdf",
            filename: null,
            state: "stored",
            size: 104_857_600,
            fileId: freshId(FileId),
            remote: null
          })
          yield* transact(library.insert([remote, stored]))
          yield* transact(library.insert([]))
          assert.deepStrictEqual(plain(yield* library.get(remote.id)), plain(remote))
          assert.deepStrictEqual(plain(yield* library.get(stored.id)), plain(stored))
          assert.strictEqual((yield* Effect.flip(library.get(freshId(MediaId)))).resource, "media")
        })
      )
    )

    it.effect("saves where the bytes are, and nothing of what is gone", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const library = yield* MediaLibrary
          const [one, other, gone] = [newMedia(), newMedia(), newMedia()]
          yield* transact(library.insert([one, other]))
          const fetched = new Media({ ...one, state: "stored", size: 7, fileId: freshId(FileId) })
          yield* transact(library.save(new Media({ ...fetched, mimeType: "never/kept", createdAt: evening })))
          yield* transact(library.save(gone))
          assert.deepStrictEqual(plain(yield* library.get(one.id)), plain(fetched))
          assert.deepStrictEqual(plain(yield* library.get(other.id)), plain(other))
          assert.strictEqual((yield* Effect.flip(library.get(gone.id)))._tag, "NotFound")
        })
      )
    )
  }
}

/** Checks an adapter against what every `MediaLibrary` promises. */
export const mediaLibraryContract = runContract(mediaLibrary)
