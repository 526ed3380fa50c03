import { readdirSync } from "node:fs"

/** Declarations of the areas in files of this folder, one file each. */
export const ofAreas = <Said>(folder: "recipes"): Promise<ReadonlyArray<Said>> => {
  const files = new URL(`./${folder}/`, import.meta.url)
  return Promise.all(
    readdirSync(files, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => import(new URL(file, files).href))
  )
}
