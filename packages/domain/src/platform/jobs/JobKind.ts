import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import {
  type ActorRef,
  Permission,
  type PermissionDenied,
  type Tenancy,
  type TenantScoped,
  type Transaction,
  withContext
} from "../../kernel/index.ts"
import type { JobCounts, JobFailed, JobKindName, JobProgress } from "./Job.ts"

/** Result of one step, with the checkpoint of the next one. */
export interface JobStep<Checkpoint> {
  readonly checkpoint: Checkpoint
  readonly done: boolean
  readonly progress: JobProgress
  readonly counts: JobCounts
  /** Path of the result; set by the last step. */
  readonly resultUrl?: string | null
  /** Earliest time of the next step. The job blocks no other job until then. */
  readonly resumeAt?: DateTime.Utc | null
}

/** Context of every step: the unit of work that also stores its checkpoint, the organization, and the requester. */
type StepContext = Transaction | Tenancy

/** Common part of the job declarations. */
interface JobDefinition<Input, Checkpoint> {
  readonly name: JobKindName
  readonly input: Schema.Codec<Input, unknown>
  readonly checkpoint: Schema.Codec<Checkpoint, unknown>
  /** Permissions that the requester must hold before each step. `null`: the job completes a committed change without a requester check. */
  readonly needs: ReadonlyArray<Permission> | null
}

/** Fails the job. A missing permission means that the requester lost it. */
export type JobStepError = JobFailed | PermissionDenied

interface Declaration<Input, Checkpoint, R> extends JobDefinition<Input, Checkpoint> {
  /**
   * Runs one part of the work in one unit of work (aim below a second). Its writes and its checkpoint commit together or not at all. No crash can
   * lose a step or run it twice.
   */
  readonly step: (input: Input, checkpoint: Checkpoint | null) => Effect.Effect<JobStep<Checkpoint>, JobStepError, R>
}

/** Declaration of a job kind that calls an external system. */
interface ExternalDeclaration<Input, Checkpoint, R, Asking> extends JobDefinition<Input, Checkpoint> {
  /**
   * Calls the external system outside of a unit of work, because no transaction may wait for it. The result is the step, which runs in a unit of
   * work. The call is repeated if the process ends before the step commits.
   */
  readonly ask: (
    input: Input,
    checkpoint: Checkpoint | null
  ) => Effect.Effect<Effect.Effect<JobStep<Checkpoint>, JobStepError, R>, JobStepError, Asking>
}

/** Job kind whose steps require these services. */
export interface JobKind<in Input, out R> {
  readonly name: JobKindName
  readonly needs: ReadonlyArray<Permission> | null
  readonly encodeInput: (input: Input) => Effect.Effect<Schema.Json>
  /** Returns the next step, for a unit of work. Dies when the stored data cannot be decoded, because that is not an external failure. */
  readonly ask: (
    input: Schema.Json,
    checkpoint: Schema.Json | null
  ) => Effect.Effect<Effect.Effect<JobStep<Schema.Json>, JobStepError, R>, JobStepError, R>
}

/** Declares a job kind that calls an external system before each step. */
export const defineExternalJob = <Input, Checkpoint, R, Asking>(
  declaration: ExternalDeclaration<Input, Checkpoint, R, Asking>
): JobKind<Input, R | Asking> => {
  const input = Schema.toCodecJson(declaration.input)
  const checkpoint = Schema.toCodecJson(declaration.checkpoint)
  const encodeCheckpoint = Schema.encodeEffect(checkpoint)
  const decodeInput = Schema.decodeEffect(input)
  const decodeCheckpoint = Schema.decodeEffect(checkpoint)
  const encodeInput = Schema.encodeEffect(input)
  return {
    name: declaration.name,
    needs: declaration.needs,
    encodeInput: (value) => Effect.orDie(encodeInput(value)),
    ask: (stored, at) =>
      Effect.all([
        Effect.orDie(decodeInput(stored)),
        at === null ? Effect.succeed(null) : Effect.orDie(decodeCheckpoint(at))
      ]).pipe(
        Effect.flatMap(([known, from]) => declaration.ask(known, from)),
        Effect.map((doing) =>
          Effect.gen(function* () {
            const step = yield* doing
            return { ...step, checkpoint: yield* Effect.orDie(encodeCheckpoint(step.checkpoint)) }
          })
        )
      )
  }
}

/** Declares a job kind: its input, its checkpoint and its step. */
export const defineJob = <Input, Checkpoint, R>({
  step,
  ...shape
}: Declaration<Input, Checkpoint, R>): JobKind<Input, R> =>
  defineExternalJob({ ...shape, ask: (input, checkpoint) => Effect.succeed(step(input, checkpoint)) })

/** Job kind with all required services. */
interface RunnableKind {
  readonly name: JobKindName
  readonly needs: ReadonlyArray<Permission> | null
  readonly ask: (
    input: Schema.Json,
    checkpoint: Schema.Json | null
  ) => Effect.Effect<Effect.Effect<JobStep<Schema.Json>, JobStepError, StepContext>, JobStepError, Tenancy>
}

/** Job kinds of the runners of this process, by name. */
export class JobKinds extends Context.Service<JobKinds, ReadonlyMap<JobKindName, RunnableKind>>()(
  "@parley/domain/platform/jobs/JobKinds"
) {}

type Needs<Kind> = Kind extends JobKind<never, infer R> ? R : never

/** Provides the services that the steps require. */
export const layerJobKindsOf = <const Kinds extends ReadonlyArray<JobKind<never, unknown>>>(
  kinds: Kinds
): Layer.Layer<JobKinds, never, Exclude<Needs<Kinds[number]>, StepContext>> =>
  Layer.effect(
    JobKinds,
    Effect.contextWith((outside: Context.Context<Exclude<Needs<Kinds[number]>, StepContext>>) => {
      const [asking, supply] = [withContext<Tenancy>(outside), withContext<StepContext>(outside)]
      const complete = ({ ask, name, needs }: JobKind<never, unknown>): RunnableKind => ({
        name,
        needs,
        ask: (input, checkpoint) => Effect.map(asking(ask(input, checkpoint)), supply)
      })
      return Effect.succeed(new Map(kinds.map((kind) => [kind.name, complete(kind)])))
    })
  )

/** Finds the current permissions of one kind of actor. */
export interface RequesterResolver<R> {
  readonly kind: ActorRef["kind"]
  /** `null` for an actor that is removed, disabled, revoked or expired. */
  readonly permissions: (id: string) => Effect.Effect<ReadonlySet<Permission> | null, never, R>
}

const allPermissions: ReadonlySet<Permission> = new Set(Permission.literals)

export class RequesterPermissions extends Context.Service<
  RequesterPermissions,
  TenantScoped<{
    /** `null` for a requester that is removed, disabled, revoked or expired. Operators and the service itself hold all permissions. */
    readonly find: (requester: ActorRef) => Effect.Effect<ReadonlySet<Permission> | null>
  }>
>()("@parley/domain/platform/jobs/RequesterPermissions") {}

type RequesterNeeds<A> = A extends RequesterResolver<infer R> ? Exclude<R, Tenancy> : never

/** Joins the requester kinds of all areas. */
export const layerRequesterPermissionsOf = <A extends RequesterResolver<unknown>>(
  requesters: ReadonlyArray<A>
): Layer.Layer<RequesterPermissions, never, RequesterNeeds<A>> =>
  Layer.effect(
    RequesterPermissions,
    Effect.contextWith((outside: Context.Context<RequesterNeeds<A>>) => {
      const reading = withContext<Tenancy>(outside)
      return Effect.succeed(
        RequesterPermissions.of({
          find: ({ id, kind }) => {
            const found = requesters.find((each) => each.kind === kind)
            return found === undefined ? Effect.succeed(allPermissions) : reading(found.permissions(id))
          }
        })
      )
    })
  )
