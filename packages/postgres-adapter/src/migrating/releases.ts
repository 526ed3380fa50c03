import manifest from "../../package.json" with { type: "json" }

/** Release of this code. All packages have the same one. */
export const ownRelease: string = manifest.version

const numbersOf = (release: string) => release.split(/[-+]/u, 1).flatMap((core) => core.split(".").map(Number))

/** Compares two releases, without the suffix of a pre-release: it uses the schema of its release. */
export const compareReleases = (one: string, other: string): number => {
  const others = numbersOf(other)
  return (
    numbersOf(one)
      .map((number, index) => number - (others[index] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  )
}

/** The newest of these releases; `null` without any. */
export const newestRelease = (releases: ReadonlyArray<string>): string | null =>
  releases.toSorted(compareReleases).at(-1) ?? null
