import path from 'node:path';
import { stringify } from 'yaml';
import { GitRepository } from '../test/e2e/repository.ts';
import { baseState } from './states.ts';

/** A committed workspace with 20 add-ons, and the file of their configurations, in which the value of one variable is edited. */
export class EditedRepository {
  readonly #repository = new GitRepository();
  readonly #text: string;

  constructor(clusters: number) {
    const { objects, fleet } = baseState(clusters, 20, 1);
    const isConfig = ({ kind }: (typeof objects)[number]): boolean => kind === 'AddOnDeploymentConfig';
    const textOf = (some: typeof objects): string => some.map((object) => stringify(object)).join('---\n');
    this.#text = textOf(objects.filter(isConfig));
    this.#repository.commit('fleet and apps', {
      'fleet.json': fleet,
      'apps/example/configs.yaml': this.#text,
      'apps/example/objects.yaml': textOf(objects.filter((each) => !isConfig(each))),
    });
  }

  get root(): string {
    return this.#repository.root;
  }

  /** The path of the file with the configurations. */
  get file(): string {
    return path.join(this.root, 'apps/example/configs.yaml');
  }

  /** Returns the text of the file with a value for the variable. @default - the committed one */
  textWith(value?: string): string {
    return value === undefined ? this.#text : this.#text.replace(/(value: )\S+/, `$1${value}`);
  }

  remove(): void {
    this.#repository.remove();
  }
}

/** Prints the head of a table, and measures workspaces of these numbers of clusters, one after the other. */
export async function measureSizes(
  columns: readonly string[],
  sizes: readonly number[],
  measure: (clusters: number, repository: EditedRepository) => Promise<void>,
): Promise<void> {
  printRow(columns);
  printRow(columns.map(() => '---'));
  for (const clusters of sizes) {
    const repository = new EditedRepository(clusters);
    try {
      await measure(clusters, repository);
    } finally {
      repository.remove();
    }
  }
}

export function printRow(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
