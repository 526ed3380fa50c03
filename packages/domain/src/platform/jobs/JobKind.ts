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

/** What one step has come to, and where the next one goes on. */
export interface JobStep<Checkpoint> {
  readonly checkpoint: Checkpoint
  readonly done: boolean
  readonly progress: JobProgress
  readonly counts: JobCounts
  /** The path of the result, told with the last step. */
  readonly resultUrl?: string | null
  /** Not before then: until it is time, the job keeps no other one waiting. */
  readonly resumeAt?: DateTime.Utc | null
}

/** What every step finds round it: the unit of work that also stores its checkpoint, the organization, and who asked. */
type StepContext = Transaction | Tenancy

/** What every kind of job says of itself. */
interface JobDefinition<Input, Checkpoint> {
  readonly name: JobKindName
  readonly input: Schema.Codec<Input, unknown>
  readonly checkpoint: Schema.Codec<Checkpoint, unknown>
  /** Permissions that the requester must hold before each step. `null`: the job completes a committed change without a requester check. */
  readonly needs: ReadonlyArray<Permission> | null
}

/** Fails the job. A missing permission means that the requester lost it. */
export type JobStepError = JobFailed | PermissionDenied

/** Declares a kind of job. */
interface Declaration<Input, Checkpoint, R> extends JobDefinition<Input, Checkpoint> {
  /**
   * A part of the work, small enough for one unit of work (aim below a second). Everything it writes is committed with its
   * checkpoint or not at all, so whatever happens to the process, no step is lost and none is done twice.
   */
  readonly step: (input: Input, checkpoint: Checkpoint | null) => Effect.Effect<JobStep<Checkpoint>, JobStepError, R>
}

/** Declares a kind of job that asks somebody outside. */
interface ExternalDeclaration<Input, Checkpoint, R, Asking> extends JobDefinition<Input, Checkpoint> {
  /**
   * Asks outside of any unit of work, so that none stays open while somebody else thinks; the answer is the step, which is done in one. Asking is
   * repeated if the process ends before the step is kept.
   */
  readonly ask: (
    input: Input,
    checkpoint: Checkpoint | null
  ) => Effect.Effect<Effect.Effect<JobStep<Checkpoint>, JobStepError, R>, JobStepError, Asking>
}

/** A kind of job whose steps still need these services. */
export interface JobKind<in Input, out R> {
  readonly name: JobKindName
  readonly needs: ReadonlyArray<Permission> | null
  readonly encodeInput: (input: Input) => Effect.Effect<Schema.Json>
  /** Answers the next step, to be done in a unit of work. Dies when what is stored cannot be read: that is nobody's fault outside. */
  readonly ask: (
    input: Schema.Json,
    checkpoint: Schema.Json | null
  ) => Effect.Effect<Effect.Effect<JobStep<Schema.Json>, JobStepError, R>, JobStepError, R>
}

/** Declares a kind of job that asks somebody outside before each step. */
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

/** Declares a kind of job: what it works on, what it remembers between steps, and what a step does. */
export const defineJob = <Input, Checkpoint, R>({
  step,
  ...shape
}: Declaration<Input, Checkpoint, R>): JobKind<Input, R> =>
  defineExternalJob({ ...shape, ask: (input, checkpoint) => Effect.succeed(step(input, checkpoint)) })

/** A kind of job that a runner does: it has what it needs from outside. */
interface RunnableKind {
  readonly name: JobKindName
  readonly needs: ReadonlyArray<Permission> | null
  readonly ask: (
    input: Schema.Json,
    checkpoint: Schema.Json | null
  ) => Effect.Effect<Effect.Effect<JobStep<Schema.Json>, JobStepError, StepContext>, JobStepError, Tenancy>
}

/** The kinds of jobs that the runners of this process do, by their names. */
export class JobKinds extends Context.Service<JobKinds, ReadonlyMap<JobKindName, RunnableKind>>()(
  "@parley/domain/platform/jobs/JobKinds"
) {}

type Needs<Kind> = Kind extends JobKind<never, infer R> ? R : never

/** Gives the kinds what their steps need from outside. */
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

/** Joins the kinds of requesters of all areas. */
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
