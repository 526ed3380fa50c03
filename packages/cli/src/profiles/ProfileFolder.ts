import { HttpUrl, type Settings, WrongConfiguration } from "@parley/service/configuration"
import { Config, Effect, FileSystem, Option, Path, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Refused } from "../console/Failure.ts"

const variable = (name: string) =>
  Effect.map(Effect.orDie(Config.option(Config.String(name))), (value) =>
    Option.filter(value, (text) => text.trim() !== "")
  )

/** Returns the configuration folder of this user; none without a home folder. */
export const configFolder = Effect.fnUntraced(function* ({ configDir }: Pick<Settings, "configDir">) {
  if (configDir.value !== null) return Option.some(configDir.value)
  const path = yield* Path.Path
  const xdg = Option.filter(yield* variable("XDG_CONFIG_HOME"), path.isAbsolute)
  const home = Option.orElse(yield* variable("HOME"), () => Option.none<string>())
  const profile = Option.isSome(home) ? home : yield* variable("USERPROFILE")
  const config = Option.orElse(xdg, () => Option.map(profile, (folder) => path.join(folder, ".config")))
  return Option.map(config, (folder) => path.join(folder, "parley"))
})

/** An organization that a login can act in. The slug is `null` if the login cannot read it. */
export const KnownOrganization = Schema.Struct({
  id: Schema.String,
  slug: Schema.NullOr(Schema.String),
  name: Schema.String
})
export type KnownOrganization = typeof KnownOrganization.Type

const Secret = Schema.RedactedFromValue(Schema.String)

/** A login at a service, as stored on this machine. */
export const Profile = Schema.Struct({
  server: HttpUrl,
  /** Whether its tokens can be sent over plain HTTP. */
  insecure: Schema.Boolean,
  /** Email address of the login; `null` for an automation token or an operator token. */
  email: Schema.NullOr(Schema.String),
  organizations: Schema.Array(KnownOrganization),
  /** `null` after the logout. Automation tokens and operator tokens have no refresh token. */
  tokens: Schema.NullOr(Schema.Struct({ accessToken: Secret, refreshToken: Schema.NullOr(Secret) })),
  /** Token that proves a known device at the next login from this machine. */
  deviceToken: Schema.NullOr(Secret)
})
export type Profile = typeof Profile.Type

/** Whether the login is an operator token. An automation token always belongs to an organization. */
export const isOperatorLogin = ({ email, organizations }: Profile) => email === null && organizations.length === 0

/** Describes the caller of a login. */
export const callerOf = (profile: Profile) =>
  profile.email ?? (isOperatorLogin(profile) ? "operator token" : "automation token")

export interface NamedProfile {
  readonly name: string
  readonly profile: Profile
}

/** Writes a file atomically. No other user can read it at any time. */
export const writePrivately = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const unfinished = `${file}.${SecureRandom.uuidV4Unsafe()}`
  yield* fs.writeFileString(unfinished, text, { flag: "wx", mode: 0o600 }).pipe(
    Effect.andThen(fs.rename(unfinished, file)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished)))
  )
})

const ProfileFile = Schema.fromJsonString(Profile)

const ending = ".json"

/** Stored logins of this user on this machine. Other users cannot read them. */
export const profileFolder = Effect.fnUntraced(function* (settings: Settings) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* configFolder(settings)

  const cannot = (what: string) => () =>
    new WrongConfiguration({ faults: [`PARLEY_CONFIG_DIR: cannot ${what}, the folder of the logins.`] })

  const place = Effect.mapError(
    Effect.fromOption(folder),
    () =>
      new WrongConfiguration({
        faults: ["PARLEY_CONFIG_DIR: specify the folder of your logins, because HOME is not set."]
      })
  )

  const placeOfProfiles = Effect.map(place, (root) => path.join(root, "profiles"))

  const fileOf = (name: string) => Effect.map(placeOfProfiles, (profiles) => path.join(profiles, `${name}${ending}`))

  const write = (file: string, text: string) =>
    writePrivately(file, text).pipe(
      Effect.provideService(FileSystem.FileSystem, fs),
      Effect.mapError(cannot(`write ${file}`))
    )

  const ensure = Effect.gen(function* () {
    const root = yield* place
    const profiles = yield* placeOfProfiles
    yield* fs.makeDirectory(root, { recursive: true, mode: 0o700 }).pipe(
      Effect.andThen(fs.makeDirectory(profiles, { recursive: true, mode: 0o700 })),
      // An existing folder keeps its mode without this call.
      Effect.andThen(fs.chmod(profiles, 0o700)),
      Effect.mapError(cannot(`write ${profiles}`))
    )
  })

  const find = Effect.fnUntraced(function* (name: string) {
    if (Option.isNone(folder)) return Option.none<NamedProfile>()
    const file = yield* fileOf(name)
    const text = yield* Effect.option(fs.readFileString(file))
    if (Option.isNone(text)) return Option.none<NamedProfile>()
    const profile = yield* Effect.mapError(
      Schema.decodeEffect(ProfileFile)(text.value),
      () => new Refused({ message: `The profile ${name} cannot be read. Remove it: parley profiles remove ${name}` })
    )
    return Option.some<NamedProfile>({ name, profile })
  })

  const names = Effect.gen(function* () {
    if (Option.isNone(folder)) return []
    const files = yield* Effect.orElseSucceed(fs.readDirectory(yield* placeOfProfiles), () => [])
    return files
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length))
      .toSorted()
  })

  const placeOfUsed = Effect.map(place, (root) => path.join(root, "profile"))

  return {
    find,
    names,
    /** Readable profiles, by name. */
    list: Effect.gen(function* () {
      const found = yield* Effect.forEach(yield* names, (name) => Effect.orElseSucceed(find(name), () => Option.none()))
      return found.flatMap((each) => Option.toArray<NamedProfile>(each))
    }),
    write: Effect.fnUntraced(function* (name: string, profile: Profile) {
      yield* ensure
      const text = yield* Effect.orDie(Schema.encodeEffect(ProfileFile)(profile))
      yield* write(yield* fileOf(name), `${text}\n`)
    }),
    remove: Effect.fnUntraced(function* (name: string) {
      const file = yield* fileOf(name)
      yield* Effect.mapError(fs.remove(file, { force: true }), cannot(`remove ${file}`))
    }),
    /** Name of the default profile. */
    used: Effect.gen(function* () {
      if (Option.isNone(folder)) return null
      const text = yield* Effect.option(fs.readFileString(yield* placeOfUsed))
      return Option.match(text, { onNone: () => null, onSome: (name) => (name.trim() === "" ? null : name.trim()) })
    }),
    use: Effect.fnUntraced(function* (name: string | null) {
      yield* ensure
      yield* write(yield* placeOfUsed, `${name ?? ""}\n`)
    })
  }
})

export type ProfileFolder = Effect.Success<ReturnType<typeof profileFolder>>
