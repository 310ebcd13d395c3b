// The pages of the server: the first one, which leads to the others, playing, watching and replaying.

import { doorPage } from './door.js';
import './i18n-play.js';
import './i18n-study.js';
import { playPage } from './play.js';
import { showPages } from './router.js';
import { filesPage } from './study-files.js';
import { studyPage } from './study.js';

showPages({ door: doorPage, play: playPage, analysis: studyPage, files: filesPage });
