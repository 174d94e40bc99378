// The floor below which no command in JavaScript can be, as a whole process: starts Node, reads all files of some folders, parses
// those in JSON, and writes what the last folder has as JSON.
// Run with: node bench/read-and-write.mjs FOLDER…
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @type {unknown[]} */
let parsed = [];

/** @param {string} folder */
function read(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) read(file);
    else {
      const text = readFileSync(file, 'utf8');
      if (file.endsWith('.json')) parsed.push(JSON.parse(text));
    }
  }
}

for (const folder of process.argv.slice(2)) {
  parsed = [];
  read(folder);
}
for (const value of parsed) process.stdout.write(`${JSON.stringify(value)}\n`);
