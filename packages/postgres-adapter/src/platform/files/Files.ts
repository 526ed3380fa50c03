import { CurrentOrganization, NotFound } from "@parley/domain/kernel"
import { Files } from "@parley/domain/platform"
import { DateTime, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { orDieSqlErrors } from "../../kernel/defects.ts"
import { chunkSize, inChunks } from "./chunks.ts"

const notFound = () => new NotFound({ resource: "file" })

const sweptMeanwhile = () => new Error("The file was swept while it was written.")

export const layer = Layer.effect(
  Files,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Files.of({
      write: Effect.fnUntraced(function* (id, bytes) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO files (organization_id, id, state, started_at)
          VALUES (${organization.id}, ${id}, 'uploading', ${stamp(yield* DateTime.now)})`.pipe(orDieSqlErrors)
        const { size } = yield* Stream.runFoldEffect(
          inChunks(bytes),
          () => ({ number: 0, size: 0 }),
          ({ number, size }, chunk) =>
            sql`
              INSERT INTO file_chunks (organization_id, file_id, number, bytes)
              VALUES (${organization.id}, ${id}, ${number}, ${chunk})`.pipe(
              orDieSqlErrors,
              Effect.as({ number: number + 1, size: size + chunk.length })
            )
        )
        const completed = yield* sql`
          UPDATE files SET state = 'complete', size = ${size}
          WHERE organization_id = ${organization.id} AND id = ${id} AND state = 'uploading' RETURNING 1`.pipe(
          orDieSqlErrors
        )
        if (completed.length === 0) return yield* Effect.die(sweptMeanwhile())
        return { size }
      }),
      read: (id, from) =>
        Effect.gen(function* () {
          const organization = yield* CurrentOrganization
          const [file] = yield* sql<{ readonly size: string }>`
            SELECT size::text AS size FROM files
            WHERE organization_id = ${organization.id} AND id = ${id} AND state = 'complete'`
          if (file === undefined) return yield* notFound()
          const size = Number(file.size)
          return Stream.unfold(
            from,
            Effect.fnUntraced(function* (offset) {
              if (offset >= size) return
              const number = Math.floor(offset / chunkSize)
              const [chunk] = yield* sql<{ readonly bytes: Uint8Array }>`
                SELECT bytes FROM file_chunks
                WHERE organization_id = ${organization.id} AND file_id = ${id} AND number = ${number}`
              if (chunk === undefined) return yield* notFound()
              const next = (number + 1) * chunkSize
              return [chunk.bytes.subarray(offset - number * chunkSize), next] as const
            }, orDieSqlErrors)
          )
        }).pipe(orDieSqlErrors, Stream.unwrap),
      // Deleting the bytes of a large file takes longer than a unit of work can last. The sweep deletes them.
      remove: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE files SET state = 'removed' WHERE organization_id = ${organization.id} AND id = ${id}`
      }, orDieSqlErrors)
    })
  )
)
