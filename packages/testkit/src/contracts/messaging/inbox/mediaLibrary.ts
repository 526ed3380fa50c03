import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { FileId, Files } from "@parley/domain/platform"
import { Media, MediaId, MediaLibrary, MediaSweep } from "@parley/domain/messaging"
import { DateTime, Effect, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { newMedia } from "./given.ts"

const plain = Schema.encodeSync(Media)

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

    it.effect("saves the place of the bytes, except for deleted and stored media", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const library = yield* MediaLibrary
          const [one, other, gone] = [newMedia(), newMedia(), newMedia()]
          yield* transact(library.insert([one, other]))
          const fetched = new Media({
            ...one,
            mimeType: "image/webp",
            state: "stored",
            size: 7,
            fileId: freshId(FileId)
          })
          const refused = new Media({ ...one, state: "lost", refusedSince: evening })
          assert.isTrue(yield* transact(library.save(refused)))
          assert.deepStrictEqual(plain(yield* library.get(one.id)), plain(refused))
          const odd = new Media({ ...fetched, filename: "never kept", isUsed: true, createdAt: evening })
          assert.isTrue(yield* transact(library.save(odd)))
          assert.isFalse(yield* transact(library.save(gone)))
          // The second writer detects that the first one saved it.
          assert.isFalse(yield* transact(library.save(new Media({ ...fetched, fileId: freshId(FileId) }))))
          assert.isFalse(yield* transact(library.save(refused)))
          assert.deepStrictEqual(plain(yield* library.get(one.id)), plain(fetched))
          assert.deepStrictEqual(plain(yield* library.get(other.id)), plain(other))
          assert.strictEqual((yield* Effect.flip(library.get(gone.id)))._tag, "NotFound")
        })
      )
    )

    it.effect("records the use of media in a message, except for deleted ones", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const library = yield* MediaLibrary
          const [one, other] = [newMedia(), newMedia()]
          yield* transact(library.insert([one, other]))
          for (let count = 0; count < 2; count++) yield* transact(library.use(one.id))
          assert.deepStrictEqual(plain(yield* library.get(one.id)), plain(new Media({ ...one, isUsed: true })))
          assert.deepStrictEqual(plain(yield* library.get(other.id)), plain(other))
          assert.strictEqual((yield* Effect.flip(transact(library.use(freshId(MediaId))))).resource, "media")
        })
      )
    )

    it.effect("sweeps out, with its bytes, what no message has named for a week, and nothing else", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [files, library] = [yield* Files, yield* MediaLibrary]
          const uploaded = Effect.fnUntraced(function* (overrides: Partial<Media> = {}) {
            const fileId = freshId(FileId)
            yield* files.write(fileId, Stream.make(Uint8Array.of(1, 2, 3)))
            const createdAt = yield* DateTime.now
            const media = newMedia({ state: "stored", size: 3, fileId, remote: null, createdAt, ...overrides })
            yield* transact(library.insert([media]))
            return { id: media.id, fileId }
          })
          const [nobodys, named, usedAtOnce] = [yield* uploaded(), yield* uploaded(), yield* uploaded({ isUsed: true })]
          yield* transact(library.use(named.id))
          yield* TestClock.adjust("1 day")
          const young = yield* uploaded()
          const isThere = ({ fileId, id }: typeof young) =>
            Effect.all([library.get(id), Stream.runDrain(files.read(fileId, 0))]).pipe(
              Effect.match({ onFailure: () => false, onSuccess: () => true })
            )
          const sweep = Effect.flatMap(MediaSweep, (media) => media.sweep())
          yield* TestClock.adjust("143 hours")
          yield* sweep
          assert.isTrue(yield* isThere(nobodys))
          yield* TestClock.adjust("1 hour")
          assert.isAtLeast(yield* sweep, 1)
          assert.deepStrictEqual(yield* Effect.forEach([nobodys, named, usedAtOnce, young], isThere), [
            false,
            true,
            true,
            true
          ])
          assert.strictEqual((yield* Effect.flip(library.get(nobodys.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(Stream.runDrain(files.read(nobodys.fileId, 0))))._tag, "NotFound")
        })
      )
    )
  }
}

/** Checks an adapter against the contract of `MediaLibrary`. */
export const mediaLibraryContract = runContract(mediaLibrary)
