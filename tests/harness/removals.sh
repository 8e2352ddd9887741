# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The checks of the harness, for remove_checks.sh: a name, the file, the text that is the check, what is left without
# it, and the test of which program fails then. Long because it is a list; each entry stands alone.

# ---- Answers: what a call did to the data
check 'poison in outputs' aisp/harness/tensor_set.cpp \
  'tensor.buffer.poison(tensor.spec->dtype, tensor.poison);' ';' \
  harness TensorSetTest.OutputsStartAsPoisonThatNoAnswerEquals
check 'fresh poison for every call' aisp/harness/tensor_set.cpp \
  'tensor.poison = random_word(nonce, 2 * t + 1);' 'tensor.poison = 1;' \
  harness TensorSetTest.PoisonAndGuardsAreNewForEveryCall
check 'surviving poison counted' aisp/harness/tensor_set.cpp \
  'damage.poison_left += tensor.buffer.poison_left(tensor.spec->dtype, tensor.poison);' ';' \
  harness TensorSetTest.OneElementLeftUnwrittenIsSeen
check 'guard words' aisp/harness/tensor_set.cpp \
  'broken && !damage.out_of_bounds' 'false' \
  harness TensorSetTest.AWriteJustBehindOrBeforeABufferIsSeen
check 'input checksum' aisp/harness/tensor_set.cpp \
  'tensor.buffer.checksum() != tensor.checksum' 'false' \
  harness TensorSetTest.AChangedInputIsNamed
check 'fresh inputs in every round' aisp/harness/tensor_set.cpp \
  'seed.stream("input", round, set,' 'seed.stream("input", 0, set,' \
  harness TensorSetTest.InputsDifferByRoundAndSetAndComeBackForTheSame
check 'inputs of its own for every batched call' aisp/harness/tensor_set.cpp \
  'seed.stream("input", round, set,' 'seed.stream("input", round, 0,' \
  harness TensorSetTest.InputsDifferByRoundAndSetAndComeBackForTheSame
check 'hard family of inputs' aisp/harness/tensor_set.cpp \
  'draw(seed, round, set, round % problem_.families());' 'draw(seed, round, set, 0);' \
  harness TensorSetTest.RoundsCycleThroughTheFamilies
check 'wrong answers counted' aisp/harness/answer_ledger.cpp \
  'if (outcome.wrong > 0) classify' 'if (false) classify' \
  harness AnswerLedgerTest.OneElementOffIsWrongAndNamed
check 'unwritten answers told' aisp/harness/answer_ledger.cpp \
  'if (damage.poison_left > 0) ++evidence_.unwritten;' '' \
  harness AnswerLedgerTest.NothingWrittenIsUnwritten
check 'stale answers told' aisp/harness/answer_ledger.cpp \
  '++evidence_.stale' '(void)0' \
  harness AnswerLedgerTest.TheAnswerToTheRoundBeforeIsStale
check 'constant answers told' aisp/harness/answer_ledger.cpp \
  '++evidence_.constant' '(void)0' \
  harness AnswerLedgerTest.OneValueEverywhereIsConstant
check 'NaN and infinity told' aisp/harness/answer_ledger.cpp \
  '++evidence_.not_finite' '(void)0' \
  harness AnswerLedgerTest.ANaNOrInfinityOfTheVariantIsNotFinite
check 'writes outside counted' aisp/harness/answer_ledger.cpp \
  'if (damage.out_of_bounds) {' 'if (false) {' \
  harness AnswerLedgerTest.AWriteOutsideIsCountedEvenWithARightAnswer
check 'changed inputs counted' aisp/harness/answer_ledger.cpp \
  'if (damage.inputs_changed) {' 'if (false) {' \
  harness AnswerLedgerTest.AChangedInputIsCountedAndAskedToBeRedrawn
check 'changed inputs drawn again' aisp/harness/sampler.cpp \
  'if (!contestant.answers.record(*sets_[s], s, *checkers_[s]))' \
  'if (contestant.answers.record(*sets_[s], s, *checkers_[s]), false)' \
  harness Sampler.AnInputThatWasChangedIsDrawnAgainForTheNextVariant
check 'every timed answer checked' aisp/harness/sampler.cpp \
  'if (!contestant.answers.record(*sets_[s], s, *checkers_[s]))' \
  'if (windows_ < 4 && !contestant.answers.record(*sets_[s], s, *checkers_[s]))' \
  harness Sampler.AVariantThatAnswersOnlyItsFirstCallsIsFoundOut:Sampler.AnHonestVariantLeavesFaultlessEvidence
check 'wrong answers do not size windows' aisp/harness/sampler.cpp \
  'if (all || !c->wrong_at_once)' 'if (true || all)' \
  harness Sampler.AVariantThatAnswersAtOnceAndWronglyDoesNotSizeTheOthersWindows
check 'threads that the reference keeps' aisp/harness/sampler.cpp \
  'threads - threads_before - warm.reference_threads' 'threads - threads_before' \
  harness Sampler.ThreadsOfTheReferenceAreNotTheVariants
check 'a changed question proves nothing in the warm-up' aisp/harness/warm_up.cpp \
  'damage.inputs_changed || ' '' \
  harness Sampler.AVariantThatAnswersAtOnceAndWronglyDoesNotSizeTheOthersWindows
check 'repeated inputs counted' aisp/harness/sampler.cpp \
  'if (fresh) ++fresh_rounds_;' '++fresh_rounds_;' \
  harness Sampler.AWorkloadThatDrawsTheSameInputsAgainShows

# ---- The checker
check 'comparison with the reference' aisp/core/checker.cpp \
  'error <= allowed)' 'error <= 1e30)' \
  harness Mutants.EveryOneIsAppliedToAndRejectedForAnHonestProblem
check 'NaN is never within the tolerance' aisp/core/checker.cpp \
  'error <= allowed)' '!(error > allowed))' \
  harness Mutants.EveryOneIsAppliedToAndRejectedForAnHonestProblem
check 'a worst error of NaN is infinite' aisp/core/checker.cpp \
  'std::isnan(multiple) ? std::numeric_limits<double>::infinity() : multiple' 'multiple' \
  harness CheckerTest.NaNIsRightOnlyWhereTheReferenceHasIt
check 'an infinite reference allows nothing finite' aisp/core/checker.cpp \
  '(std::isfinite(expected) && error <= allowed)' '(error <= allowed)' \
  harness CheckerTest.InfinityIsRightOnlyWhereTheReferenceHasTheSame
check 'mutants that are accepted fail the verification' aisp/harness/verify.cpp \
  'return m.rejected || !m.skipped.empty();' 'return true;' \
  harness Mutants.ACheckerThatAcceptsOneIsReported
check 'the checker is tested on every family' aisp/harness/verify.cpp \
  'round >= rounds - problem.families()' 'round == rounds - 1' \
  harness Mutants.EveryOneIsAppliedToAndRejectedForAnHonestProblem
check 'at least two families' aisp/core/problem.cpp \
  'if (problem.families() < 2) {' 'if (false) {' \
  harness Sampler.AProblemWithOneFamilyIsRefused

# ---- Secrets
check 'seeds are drawn' aisp/harness/seed.cpp \
  'return {sha256_hex({bytes.data(), bytes.size()}), std::move(domain)};' 'return {sha256_hex("seed"), std::move(domain)};' \
  harness Seed.TwoDrawsDiffer
check 'the commitment binds the seed' aisp/harness/seed.cpp \
  'sha256_hex("aisp seed " + hex_)' 'sha256_hex("aisp seed ")' \
  harness Seed.TheCommitmentBindsAndDoesNotReveal
check 'a stream for each purpose' aisp/harness/seed.cpp \
  'text += purpose;' '' \
  harness Seed.EveryPurposeRoundSetAndTensorHasAStreamOfItsOwn
check 'a domain for what is searched' aisp/harness/seed.cpp \
  'if (!domain_.empty()) text += " in " + domain_ + ":";' '' \
  harness Seed.DomainsHaveNoStreamInCommon
check 'searches draw inputs of their own' aisp/harness/coordinator.cpp \
  'if (job_.to_tune) spec_.seed_domain = "tune";' '' \
  harness Configured.ASearchDrawsInputsThatNobodyIsJudgedWith
check 'wrong configurations thrown out' aisp/harness/tuner.cpp \
  '} else if (own->validity >= Validity::invalid) {' '} else if (false) {' \
  harness Tuning.WrongAndCrashingOnesAreThrownOutHoweverFast
check 'revealed seed compared with its commitment' aisp/harness/cell_evidence.cpp \
  'Seed::from_hex(attempt.seed).commitment() == attempt.seed_commitment' 'true' \
  harness Coordinator.ASeedOtherThanTheCommittedOneIsRejected
check 'operations hidden while state is loaded' aisp/harness/variant_runner.cpp \
  'loading.inputs = {};' '' \
  harness StatefulWork.OperationsAreOutOfSightWhileTheStateIsLoaded
check 'operations not at their old addresses either' aisp/harness/variant_runner.cpp \
  'set.hide_inputs();' '' \
  integration '*DeferredWork*/load'

# ---- Time
check 'batching of short calls' aisp/harness/window_plan.cpp \
  'double calls = std::ceil(shortest_window_ns() / alone);' 'double calls = 1 + 0 * alone;' \
  known_truth KnownRatio.BriefCallsAreBatchedAndNotRejectedByTheClockGuard
check 'batches planned without the time of reading the clock' aisp/harness/window_plan.cpp \
  'std::max({timed - device::Clock::instance().cost_ns(), timed / 4, 1.0})' 'std::max(timed, 1.0)' \
  harness CallsPerWindow.TheReadingOfTheClockIsNotTheCall
check 'baseline measured against itself' aisp/harness/round_order.cpp \
  'if (contestant.get() == turns.twice) order.push_back({contestant.get(), true});' ';' \
  known_truth KnownRatio.EqualVariantsAreEquivalentWhateverTheMachineDoes
check 'random order' aisp/harness/round_order.cpp \
  'std::swap(order[i - 1], order[rng.below(i)]);' 'rng.below(i);' \
  known_truth Stopping.OrdersAreRandomAndMirrored
check 'mirrored order' aisp/harness/round_order.cpp \
  'if (local_round % 2 == 1) std::ranges::reverse(order);' '' \
  known_truth Stopping.OrdersAreRandomAndMirrored
check 'rotation in steady mode' aisp/harness/window_plan.cpp \
  'if (spec.cache == CacheMode::steady)' 'if (false)' \
  harness SteadyMode.RotatesThroughMoreThanTheLastLevelCacheHolds
check 'work after the return' aisp/harness/sampler.cpp \
  'contestant.probe.note_quiet(quiet);' '' \
  harness Sampler.AThreadThatWorksOnAfterTheReturnIsSeen
check 'waiting until the process is quiet' aisp/harness/sampler.cpp \
  'const device::Quiet quiet = device::wait_until_quiet(kQuietLimit);' 'const device::Quiet quiet;' \
  harness Sampler.AThreadThatWorksOnAfterTheReturnIsSeen
check 'little for threads nobody declared' aisp/guards/threads_as_declared.cpp \
  'others <= kUndeclaredShare * (' 'others <= kThreadSlack * (' \
  integration '*DeferredWork*/fifth'
check 'handlers and timers left behind' aisp/probes/process_probe.cpp \
  'const bool left_handlers = SignalWatch::instance().put_back();' 'const bool left_handlers = false;' \
  integration '*DeferredWork*/timer:DeferredByFault.EndsTheLiarAndNobodyElse'
check 'no handler between the clock and the look' aisp/probes/process_probe.cpp \
  'pthread_sigmask(SIG_BLOCK, &deferrable, nullptr);' '' \
  probes ProcessProbe.a_signal_after_the_window_runs_no_handler
check 'thread census' aisp/harness/sampler.cpp \
  'contestant.threads_kept += std::max(0, quiet.threads - threads_before);' '(void)threads_before;' \
  harness Sampler.ThreadsThatStayAreCounted
check 'floating-point mode' aisp/probes/process_probe.cpp \
  'evidence_.rounding_mode_changed.value_or(false) || mode != float_mode_;' 'false;' \
  harness Sampler.AChangedRoundingModeIsRecordedAndPutBack
check 'times below the floor' aisp/harness/cell_evidence.cpp \
  'if (floor) v.evidence.floor' 'if (false) v.evidence.floor' \
  harness Coordinator.ATimeBelowTheFloorIsRejected

# ---- State rules
check 'discard after SIGSTOP' aisp/harness/round_state.cpp \
  'add(after.continued != before.continued,' 'add(false,' \
  harness RoundState.EveryDeclaredRuleDiscards
check 'counting SIGCONT' aisp/harness/round_state.cpp \
  'continued_count.fetch_add(1, std::memory_order_relaxed);' '' \
  harness RoundState.AStoppedAndContinuedProcessDiscardsTheRound
check 'no SIGCONT of its own' aisp/harness/round_state.cpp \
  'if ((sent && info->si_pid == getpid()) || info->si_code == SI_TIMER) return;' '(void)sent;' \
  harness RoundState.AProcessCannotDiscardItsOwnRound
check 'cores changed by a call' aisp/harness/variant_runner.cpp \
  'const probes::ProcessProbe::Turn turn(probe);' '' \
  integration '*DeferredWork*/rounds'
check 'cores changed before the clock' aisp/harness/sampler.cpp \
  'contestant.probe.note_changes(untimed);' '' \
  integration '*DeferredWork*/before'
check 'discard after suspension' aisp/harness/round_state.cpp \
  'add(std::fabs(after.suspended_ns - before.suspended_ns) > 1e6,' 'add(false,' \
  harness RoundState.EveryDeclaredRuleDiscards
check 'discard after throttling' aisp/harness/round_state.cpp \
  'add(after.throttled != before.throttled,' 'add(false,' \
  harness RoundState.EveryDeclaredRuleDiscards
check 'discard after swapping' aisp/harness/round_state.cpp \
  'add(after.swapped != before.swapped,' 'add(false,' \
  harness RoundState.EveryDeclaredRuleDiscards
check 'discard when cores change' aisp/harness/round_state.cpp \
  'add(CPU_EQUAL(&after.cores, &before.cores) == 0,' 'add(false,' \
  harness RoundState.AChangedSetOfCoresDiscardsTheRound
check 'discarded rounds left out' aisp/harness/figures.cpp \
  'if (!discarded.contains(samples.place(i))) result' 'result' \
  known_truth Derive.DiscardedRoundsAreLeftOutOfEverythingAndCounted

# ---- From samples to words
check 'pairing within rounds' aisp/harness/figures.cpp \
  'const auto other = baseline.find(key);' 'const auto other = baseline.begin();' \
  known_truth Derive.SpeedUpIsTheMedianOfPairedRatios
check 'no ratio from a time of zero' aisp/harness/derive.cpp \
  'if (!std::isfinite(c.ratio) || !(c.ratio > 0)) return std::nullopt;' '' \
  known_truth 'DeriveEdges.*'
check 'no estimate from NaN' aisp/harness/derive.cpp \
  ' || !std::isfinite(stats::median(values))' '' \
  known_truth DeriveEdges.ANaNMakesTheAnswerUnknown
check 'a missing ratio is not precise' aisp/harness/derive.cpp \
  'if (!variant.speedup || !std::isfinite(variant.speedup->high)) return HUGE_VAL;' \
  'if (!variant.speedup) continue; if (!std::isfinite(variant.speedup->high)) return HUGE_VAL;' \
  known_truth DeriveEdges.NoRoundSupportsNothing
check 'wrong anchors are no anchors' aisp/harness/derive.cpp \
  ' || variant.validity >= Validity::invalid) continue;' ') continue;' \
  known_truth Derive.ComparesEveryRungWithTheBestBelievableAnchor
check 'autocorrelated rounds widen the interval' aisp/stats/median_interval.cpp \
  'found.dependent = neighbours.lag1 > autocorrelated_above' \
  'found.dependent = false && neighbours.lag1 > autocorrelated_above' \
  known_truth Derive.RoundsThatResembleTheirNeighboursGiveAWiderInterval
check 'processes that disagree widen the interval' aisp/stats/compare.cpp \
  'if (between.p_value < attempts_differ_level) {' 'if (false) {' \
  known_truth Derive.ProcessesThatDisagreeAreAllCovered
check 'two modes reported' aisp/harness/derive.cpp \
  'modes.bimodal && modes.high' 'false && modes.high' \
  known_truth KnownShape.TwoModesAreReportedForTheVariantThatHasThem
check 'drift reported' aisp/harness/derive.cpp \
  'if (drift.drifting) sampling.drift_per_run = drift.change;' '(void)drift;' \
  known_truth KnownShape.DriftIsReportedAndTakenOutOfTheRatio
check 'A/A judged' aisp/harness/derive.cpp \
  'sampling.aa_low = cell.aa->low;' '' \
  known_truth Derive.AnAaThatExcludesOneByMoreThanTheRegionRejectsTheRow
check 'waivers shown' aisp/harness/derive.cpp \
  'guards::mark_waived(variant.findings, config.waivers);' '' \
  known_truth Derive.AWaivedRejectionIsShownAndDoesNotDecide
check 'stop when precise' aisp/harness/coordinator.cpp \
  'if (widest_half_width(cell_) <= config_.precision) {' 'if (false) {' \
  known_truth Stopping.EndsAtTheFirstLookThatIsPreciseEnough
check 'stop when the time is spent' aisp/harness/cell_attempts.cpp \
  'if (seconds < config.cell_seconds) return false;' 'return false;' \
  known_truth Stopping.EndsWhenTheTimeIsSpentButNotBeforeAnIntervalExists
check 'wait for the fewest rounds' aisp/harness/cell_attempts.cpp \
  'return fewest >= kFewestRounds || seconds > kPatience * config.cell_seconds;' 'return true;' \
  known_truth Stopping.AShortTimeStillGivesAnInterval
check 'no round beyond the look' aisp/harness/coordinator.cpp \
  'const int count = std::min({block, share, target - rounds_});' 'const int count = std::min(block, share);' \
  known_truth 'Stopping.*'
check 'changed configuration' aisp/harness/cell_evidence.cpp \
  'v.evidence.config.hash_at_end = end.configuration;' 'v.evidence.config.hash_at_end = start.configuration;' \
  harness Coordinator.AConfigurationThatChangedMeanwhileIsRejected
check 'changed programs' aisp/harness/cell_evidence.cpp \
  'if (start.programs != end.programs ||' 'if (' \
  harness CellEvidence.ConfigurationAndProgramsAreToldApart
check 'programs changed and put back' aisp/harness/cell_evidence.cpp \
  ' || !one_build_id_each(libraries)' '' \
  harness CellEvidence.TwoBuildIdsOfOneObjectAreAChange
check 'worst case over attempts' aisp/harness/merge_evidence.cpp \
  'return std::max(a, b);' 'return std::min(a, b);' \
  harness MergeEvidence.TheWorstCaseWinsWhicheverAttemptHadIt
check 'counts over attempts' aisp/harness/merge_evidence.cpp \
  'into.wrong += from.wrong;' 'into.wrong = from.wrong;' \
  harness MergeEvidence.CountsAddUp
check 'unknown in one attempt is unknown' aisp/harness/merge_evidence.cpp \
  ': std::nullopt;' ': into ? into : from;' \
  harness MergeEvidence.WhatOneAttemptCouldNotEstablishIsUnknown

# ---- Traces
check 'unanswered requests' aisp/harness/sampler.cpp \
  'contestant.answers.evidence().unanswered += window.unanswered;' '' \
  harness TraceWork.DroppedAndRepeatedRequestsAreCounted
check 'answered once only' aisp/harness/trace_feed.cpp \
  'answered_ns_[static_cast<std::size_t>(id)] >= 0 ||' '' \
  harness TraceFeedTest.AnsweringTwiceIsImproperAndChangesNothing
check 'answered after the request only' aisp/harness/trace_feed.cpp \
  'id >= next_' 'id >= arrivals_.size()' \
  harness TraceFeedTest.AnsweringAheadOfTheRequestIsImproper
check 'rows of the right length' aisp/harness/trace_feed.cpp \
  'row.size() != row_bytes_' 'row.size() > 1000' \
  harness TraceFeedTest.RowsOfTheWrongLengthAreImproper
check 'requests not before they are due' aisp/harness/trace_feed.cpp \
  'if (clock_.now_ns() - start_ns_ < static_cast<double>(arrivals_[static_cast<std::size_t>(next_)]))' 'if (false)' \
  harness TraceFeedTest.ARequestThatIsNotDueIsNotHandedOut
check 'requests hidden until they are due' aisp/harness/trace_feed.cpp \
  'std::memset(input.visible.data, 0, input.visible.bytes());' '(void)input;' \
  harness TraceFeedTest.ARequestCannotBeReadBeforeItIsHandedOut
check 'shared inputs are declared, not guessed' aisp/harness/variant_runner.cpp \
  'if (!set.shared(i)) requests' 'if (set.inputs()[i].shape[0] == set.inputs()[0].size) requests' \
  harness TraceWork.SharedInputsAreReadableWhateverTheirSize
check 'every other input is a request' aisp/harness/trace_feed.cpp \
  '!input.shape.empty() && input.shape[0] == requests_' 'true' \
  harness TraceFeedTest.AnInputWithoutARowForEachRequestIsNoRequest
check 'answers kept where the variant cannot reach' aisp/harness/trace_feed.cpp \
  'std::memcpy(output_.data, answers_.data(), answers_.size());' '' \
  harness TraceFeedTest.RequestsComeInOrderAndAnswersGoToTheirRow
check 'what is written past the clock is put back' aisp/harness/variant_runner.cpp \
  'if (!timed[o].empty()) std::memcpy' 'if (false) std::memcpy' \
  integration '*DeferredWork*/finish'
check 'the share of the final state' aisp/harness/contestant.cpp \
  'evidence.process.finish_share = contestant.finish_share;' '' \
  integration '*DeferredWork*/final_state'
check 'answers of memory attempts checked' aisp/harness/memory_figures.cpp \
  'merge_answers(variant.evidence.answers, report->answers);' '' \
  integration '*DeferredWork*/memory'
check 'a slow rung is sampled rarely' aisp/harness/window_plan.cpp \
  'periods[i] = kRarely;' 'continue;' \
  harness SamplingPeriods.ARungThatTakesLongerThanAllOthersIsSampledRarely
check 'reading as the ceiling of reading' aisp/harness/round_order.cpp \
  'if (turns.ceiling) order.push_back({nullptr, false});' '' \
  harness ReadCeiling.IsSampledOnceInEveryRoundOfWorkBoundByReading
check 'bandwidth compared round by round' aisp/harness/derive.cpp \
  'ns *= cell.work_bytes / cell.paired.bytes;' '(void)ns;' \
  known_truth Derive.ThePairedCeilingComparesBandwidthsRoundByRound
check 'the calibration of what was sampled twice' aisp/harness/derive.cpp \
  'const VariantResult* twice = cell.find(cell.aa_variant);' 'const VariantResult* twice = nullptr;' \
  known_truth Derive.TheCalibrationIsOfTheVariantThatWasSampledTwice
check 'nothing untimed while the inputs are there' aisp/harness/start_up.cpp \
  'const LockedInputs locked(round);' '' \
  harness Sampler.NothingIsCalledUntimedWhileTheRoundsInputsAreThere
check 'threads left by untimed calls' aisp/harness/start_up.cpp \
  'return std::max(0, left);' 'return 0;' \
  harness Sampler.AThreadLeftByAnUntimedCallIsCounted
check 'first turns compared with later ones' aisp/harness/derive.cpp \
  'sampling.first_in_round = first_in_round_slowdown(cell, variant, costs);' '' \
  integration BorrowedAnswers.AreRejectedByName
check 'threads accounted up to now' aisp/device/cpu/quiet.cpp \
  'double other_threads_cpu_ns() {
  settle_accounts();' 'double other_threads_cpu_ns() {' \
  device Quiet.running_threads_are_accounted_up_to_now
check 'letters that the parser cannot take' aisp/cli/toml_scan.cpp \
  'static_cast<unsigned char>(c) >= 0x80 && !one_line' 'false' \
  cli TomlScan.LettersBeyondAsciiBelongInQuotesAndComments

# ---- Containment
check 'memory refused before allocation' aisp/harness/free_memory.cpp \
  'if (needed <= usable) return Ok{};' 'return Ok{};' \
  harness FreeMemory.WhatDoesNotFitIsRefusedBeforeAllocating
check 'memory limit of a worker' aisp/harness/containment.cpp \
  'setrlimit(RLIMIT_AS, &memory);' '' \
  harness Containment.LimitsAreSetBeforeAnyWorkloadCodeIsLoaded
check 'memory that a worker may hold' aisp/harness/worker_launch.cpp \
  'if (memory) setrlimit(RLIMIT_DATA, &*memory);' '(void)memory;' \
  harness Containment.TheKernelHoldsAWorkerToItsMemory
check 'shared memory counts too' aisp/harness/worker_process.cpp \
  'if (holdings.bytes > limit) {' 'if (false) {' \
  harness Containment.MemoryThatTheKernelCountsForNobodyIsCountedToo
check 'growing memory is not silence' aisp/harness/worker_process.cpp \
  'if (holdings.bytes > most_held + limit / kGrowthSteps) {' 'if (false && holdings.bytes > most_held) {' \
  harness Containment.MemoryThatGrowsSlowlyEndsAsMemoryAndNotAsSilence
check 'a memory limit where none is given' aisp/harness/cell_attempts.cpp \
  'given > 0 ? given : 0.9 * free_memory_bytes()' 'given' \
  harness Containment.WithoutALimitGivenAWorkerGetsWhatIsFree
check 'no core files' aisp/harness/containment.cpp \
  'setrlimit(RLIMIT_CORE, &none);' '(void)none;' \
  harness Containment.LimitsAreSetBeforeAnyWorkloadCodeIsLoaded
check 'first in line when memory runs out' aisp/harness/containment.cpp \
  '<< kWorkerOomScore' '<< 0' \
  harness Containment.LimitsAreSetBeforeAnyWorkloadCodeIsLoaded
check 'a worker dies with its coordinator' aisp/harness/worker_launch.cpp \
  'prctl(PR_SET_PDEATHSIG, SIGKILL);' '' \
  harness Containment.AWorkerDiesWithItsCoordinator
check 'what a worker dies of cannot be taken back' aisp/harness/containment.cpp \
  'if_equal(PR_SET_PDEATHSIG, 1),' 'if_equal(0xffffffff, 1),' \
  harness Containment.AWorkerCannotTakeBackThatItDiesWithItsCoordinator
check 'no other processes' aisp/harness/containment.cpp \
  'if (!limits.may_fork && !forbid_processes())' 'if (false && !forbid_processes())' \
  harness 'Every/Contained.NamedAndTheRestMeasured/fork'
check 'what was not contained is noted' aisp/harness/coordinator.cpp \
  'note_containment(cell_, reply.containment);' '' \
  integration Every/WithoutSeccomp.NothingSurvives/daemon
check 'deadline' aisp/harness/worker_process.cpp \
  'if (now - heard > silence) {' 'if (false) {' \
  harness 'Every/Contained.NamedAndTheRestMeasured/hang'
check 'SIGKILL after SIGTERM' aisp/harness/worker_process.cpp \
  'kill_all();  // also what is left of the group of one that went' '' \
  harness 'Every/Contained.NamedAndTheRestMeasured/ignore_sigterm'
check 'a worker that left its process group' aisp/harness/worker_process.cpp \
  'kill(pid, SIGKILL);' '' \
  harness 'Every/Contained.NamedAndTheRestMeasured/desert'
check 'notices buy a worker no time without end' aisp/harness/worker_process.cpp \
  'if (now - answered > patience) {' 'if (false) {' \
  harness Containment.NoticesBuyTimeButNotForEver
check 'limit of output' aisp/harness/worker_process.cpp \
  'return output_seen <= limits.output_bytes;' 'return true;' \
  harness 'Every/Contained.NamedAndTheRestMeasured/output'
check 'limit of threads' aisp/harness/worker_process.cpp \
  'if (holdings.threads > s.limits.threads) {' 'if (false) {' \
  harness 'Every/Contained.NamedAndTheRestMeasured/threads'
check 'messages that make no sense' aisp/harness/worker_process.cpp \
  'if (!reply) return {.end = s.end("broke the protocol", reply.error().message)};' 'if (!reply) continue;' \
  harness 'Every/Contained.NamedAndTheRestMeasured/babble'
check 'exceptions caught' aisp/harness/worker.cpp \
  '} catch (...) {' '} catch (const char*) {' \
  harness 'Every/Contained.NamedAndTheRestMeasured/throw_odd'
check 'the culprit is announced' aisp/harness/worker.cpp \
  'if (!board_.post(notice)) send' 'if (false) send' \
  harness 'Every/Contained.NamedAndTheRestMeasured/crash'
check 'samples taken with a culprit count for nothing' aisp/harness/earlier_rounds.cpp \
  'if (round.discarded.empty()) round.discarded = std::string(kMeasuredAgain) + without;' '' \
  harness Containment.AVariantThatFailsWhileMeasuredIsLeftOutAndTheRestMeasuredAgain
check 'a line without end' aisp/harness/line_channel.cpp \
  'return buffer_.size() <= kMaxLine;' 'return true;' \
  harness LineChannelTest.ALineWithoutEndIsGivenUp
check 'protocol version' aisp/harness/protocol.cpp \
  'if (request && request->version != kProtocolVersion) {' 'if (false) {' \
  harness Protocol.AnotherVersionIsRefusedWithAReason
check 'files of a sample removed' aisp/harness/variant_runner.cpp \
  'std::filesystem::remove_all(path_, ignored);' '' \
  harness StatefulWork.StateIsLoadedOperationsAreCheckedAndFilesAreGoneAfterwards
check 'scratch directory removed' aisp/harness/scratch.cpp \
  'fs::remove_all(path_, ignored);' '' \
  harness Scratch.IsRemovedWithEverythingInIt

# ---- On a GPU
check 'poison on a GPU' aisp/harness/gpu_tensor_set.cpp \
  'data.poison(tensor.view, tensor.poison);' '' \
  harness GpuSampler.AnswersThatNobodyWroteAreUnwritten
check 'guard words on a GPU' aisp/harness/gpu_tensor_set.cpp \
  'if (found.count > 0 && !damage.out_of_bounds)' 'if (false)' \
  harness GpuSampler.WritesOutsideAndToInputsAreFound
check 'input checksum on a GPU' aisp/harness/gpu_tensor_set.cpp \
  'data.checksum(tensor.view.data, tensor.view.bytes()) != tensor.checksum' 'false' \
  harness GpuSampler.WritesOutsideAndToInputsAreFound
check 'every timed answer checked on a GPU' aisp/harness/gpu_sampler.cpp \
  'if (!contestant.answers.record(checkers_[s]->inspect(*sets_[s]), s))' \
  'if (windows_ < 2 && !contestant.answers.record(checkers_[s]->inspect(*sets_[s]), s))' \
  harness GpuSampler.AnHonestVariantLeavesFaultlessEvidence
check 'a busy device after the timed work' aisp/harness/gpu_readings.cpp \
  'late_ns_.push_back(reading.late_ns);' 'late_ns_.push_back(0);' \
  harness GpuSampler.WorkOnAnotherStreamShowsAsLate
check 'calls that wait for the device' aisp/harness/gpu_readings.cpp \
  '(reading.expired ? 1 : 0)' '0' \
  harness GpuSampler.ACallThatWaitsForTheDeviceIsCounted
check 'the host side of a call' aisp/harness/gpu_variant.cpp \
  'reading.host_ns > launching_ns(overhead) ? std::max(on_device, reading.host_ns) : on_device' 'on_device' \
  harness GpuSampler.WorkOnTheHostIsTimedToo
check 'rotation in steady mode on a GPU' aisp/harness/gpu_sampler.cpp \
  'if (spec_.cache == CacheMode::steady) {' 'if (false) {' \
  harness GpuSampler.SteadyModeRotatesThroughMoreThanTheCacheHolds
check 'device memory refused before allocation' aisp/harness/gpu_sampler.cpp \
  'if (needed <= 0.9 * free) return Ok{};' 'return Ok{};' \
  harness GpuSampler.WhatDoesNotFitIsRefusedAndWhatFailsIsSaid
check 'work after a window' aisp/probes/window_activity.cpp \
  'a.start_ns + length(a, window.stopped_ns) - std::max(a.start_ns, end)' '0.0' \
  probes WindowActivityTest.WorkAfterTheWindowIsOutside
check 'work before a window' aisp/probes/window_activity.cpp \
  'if (before > window.trusted) found' 'if (false) found' \
  probes WindowActivityTest.WorkBeforeTheCallBeyondTheHarnessesOwnIsOutside
check 'host functions in a window' aisp/probes/window_activity.cpp \
  'found.host_functions += inside ? 1 : 0;' '' \
  probes WindowActivityTest.SetUpInTheWindowIsCounted
check 'an audit goes on without who ended it' aisp/harness/audit_figures.cpp \
  'done.push_back(end.variant);' '(void)0;' \
  harness GpuAuditEnds.ACrashCostsTheOthersNothing
check 'who is left out of an audit' aisp/harness/gpu_audit.cpp \
  'if (!task.left_out.empty() && is_chosen(task.left_out, variant.name)) continue;' '' \
  harness GpuAuditEnds.CountersThatFailLeaveRecordsAndTheOthersCounters
check "the harness's own work learnt before a variant runs" aisp/harness/gpu_audit.cpp \
  '  const probes::Preparation& own = own_[static_cast<std::size_t>(family)];' \
  '  static_cast<void>(start_recording()); prepare_window(family); const probes::Preparation own = probes::preparation_of(recorder.stop());' \
  harness GpuAudit.WorkBeforeACallIsOutside
check 'as many launches of its own when it learns as when it records' aisp/harness/gpu_audit.cpp \
  '  gpu_.timing().settle();
  gpu_.timing().run([](void*) {});
  return' '  return' \
  harness GpuAudit.WorkBeforeACallIsOutside
check 'records that were lost' aisp/harness/gpu_audit.cpp \
  'if (recorder.dropped() + recorder.unrecorded_launches() > 0)' 'if (false)' \
  harness GpuRecords.RecordsThatAreNotCompleteProveNothing
check 'kinds of work that leave no records' aisp/harness/audit_ledger.cpp \
  'recorder.sees(Kind::kernel) && recorder.sees(Kind::copy) && recorder.sees(Kind::set)' 'true' \
  harness GpuRecords.AKindThatIsRefusedLeavesTheOthersTheirFacts
check 'nodes of graphs told from other streams' aisp/probes/window_activity.cpp \
  ' && !a.in_graph' '' \
  harness GpuRecords.NodesOfAGraphAreTheCallsOwnButForHostFunctions
check 'bytes that a pool holds' aisp/harness/gpu_audit.cpp \
  'audited.memory.reserved_bytes = static_cast<double>(*pool)' 'static_cast<void>(*pool)' \
  harness GpuRecords.WhatAPoolHoldsReachesTheRow
check 'flushes expected in cold cells' aisp/harness/gpu_sampler.cpp \
  'expect_flushes(spec_.cache == CacheMode::cold)' 'expect_flushes(true)' \
  harness GpuRecords.TheTimerExpectsFlushesInColdCellsAlone
check 'compulsory bytes of cold calls' aisp/harness/gpu_audit.cpp \
  'audited.device.compulsory_bytes = read;' 'static_cast<void>(read);' \
  harness GpuRecords.CountersTellWhoReadItsInputs
check 'fewer counters where not all are to be had' aisp/harness/gpu_audit.cpp \
  'if (why_not) why_not = counters.open(judged);' 'static_cast<void>(judged);' \
  harness GpuRecords.FewCountersAreEnoughAndNoneAreUnknown
check 'clocks compared with the baselines' aisp/harness/audit_figures.cpp \
  '  compare_clocks(cell);' '  if (false) compare_clocks(cell);' \
  harness GpuSensors.ASlowerClockForOneVariantIsNoted
check 'other processes on a GPU' aisp/probes/device_watch.cpp \
  'return !is_ours(pid);' 'return false && is_ours(pid);' \
  harness GpuSensors.OtherProcessesReject
check 'workers of the run on a GPU' aisp/probes/device_watch.cpp \
  'parent_of(pid) == getppid()' 'parent_of(pid) == -2' \
  harness GpuSensors.WorkersOfTheRunAreNoStrangers
check 'the server that shares a GPU' aisp/probes/device_watch.cpp \
  'if (program.ends_with("/nvidia-cuda-mps-server")) return true;' '' \
  harness GpuSensors.TheServerOfMpsIsNoStrangerAndAnyOtherProgramIs
check 'others who leave a GPU before the first round' aisp/harness/gpu_sampler.cpp \
  'watch_.look(gpu_->sensors());  // once the device lists this process' '' \
  harness GpuSensors.OthersAreLookedForAtBothEndsAndBetween
check 'others who come to a GPU and go' aisp/harness/gpu_sampler.cpp \
  'if (local_round_ % kRoundsPerFullLook == kRoundsPerFullLook - 1) watch_' 'if (kRoundsPerFullLook == 0) watch_' \
  harness GpuSensors.OthersAreLookedForAtBothEndsAndBetween
check 'others who were on a GPU at the end' aisp/harness/gpu_sampler.cpp \
  '  watch_.look(gpu_->sensors());
  for' '  for' \
  harness GpuSensors.OthersAreLookedForAtBothEndsAndBetween
check 'the most others of all looks' aisp/probes/device_watch.cpp \
  'std::max(most_neighbours_, found.value_or(0))' 'found.value_or(0)' \
  harness GpuSensors.AProcessThatLeftWasThere
check 'a look that could not tell who else is there' aisp/probes/device_watch.cpp \
  'if (!found) neighbours_known_ = false;' '' \
  probes Neighbours.AreUnknownWhereOneLookCouldNotTellOfNone
check 'others in one attempt alone' aisp/harness/merge_evidence.cpp \
  'most(into.foreign_processes, from.foreign_processes);' 'largest(into.foreign_processes, from.foreign_processes);' \
  harness GpuSensors.OfAttemptsFaultsOfOneAreKeptAndStatesAreWeighed
check 'errors of the memory of a GPU' aisp/probes/device_watch.cpp \
  'evidence.new_ecc_uncorrected = rise(first_->ecc_uncorrected, last_->ecc_uncorrected);' '' \
  harness GpuSensors.AnErrorThatMemoryCouldNotCorrectRejects
check 'errors of before the attempt' aisp/probes/device_watch.cpp \
  'return *last - *first;' 'return *last;' \
  harness GpuSensors.AnErrorThatMemoryCouldNotCorrectRejects
check 'errors in one attempt alone' aisp/harness/merge_evidence.cpp \
  'most(into.new_ecc_uncorrected, from.new_ecc_uncorrected);' 'largest(into.new_ecc_uncorrected, from.new_ecc_uncorrected);' \
  harness GpuSensors.OfAttemptsFaultsOfOneAreKeptAndStatesAreWeighed
check 'heat of a GPU' aisp/probes/device_watch.cpp \
  'evidence.highest_celsius = highest_celsius_;' '' \
  harness GpuSensors.HeatPowerAndMemoryClockAreKeptForEachVariant
check 'power that holds back one variant alone' aisp/harness/audit_figures.cpp \
  'device.baseline_throttle_reasons = baseline.throttle_reasons;' '' \
  harness GpuSensors.PowerThatHoldsBackOneVariantAloneIsNoted
check 'answers of the audit checked' aisp/harness/gpu_audit.cpp \
  'answers.record(checker_.inspect(set()), 0);' '' \
  harness GpuAudit.WrongAnswersCountHereToo
check 'device time against the wall clock' aisp/harness/gpu_readings.cpp \
  'device_over_wall = variant.device_over_wall(sets)' 'device_over_wall = 1.0' \
  harness GpuSampler.DeviceTimeIsComparedWithTheWallClock
check 'host time beyond launching' aisp/harness/gpu_variant.cpp \
  'return window.reading.host_ns / explained;' 'return 0 * explained;' \
  harness GpuSampler.WorkOnTheHostIsTimedToo
check 'only what was asked for is heard' aisp/harness/worker_process.cpp \
  'if (!expected.admits(*reply)) {' 'if (false && !expected.admits(*reply)) {' \
  integration Every/WorkerContains.AndNames/all_is_well
check 'a result that is lost is not hidden by one that is journalled' aisp/cli/storage_problems.h \
  'if (!worst_ || (lost && !lost_)) worst_ = error;' 'if (!worst_) worst_ = error;' \
  cli StorageProblems.WhatIsLostIsNotHiddenByWhatWasJournalled
check 'a run that is not finished is an error for CI' aisp/report/junit.cpp \
  'if (run.status != "finished" || run.cells.empty())' 'if (false)' \
  report Exports.JUnitShowsARunThatIsNotFinishedAsAnError
check 'a runs own process alone' aisp/cli/measuring.cpp \
  'if (lock_) return Ok{};' 'if (true) return Ok{};' \
  integration Interrupted.NobodyElseResumesOrPrunesWhatIsStillMeasured
check 'what is measured is not pruned' aisp/store/in_progress.cpp \
  'return is_running(run) ||' 'return' \
  store On/Prunes.LeavesWhatIsBeingMeasured/Sqlite
check 'what another machine measures is not pruned' aisp/store/in_progress.cpp \
  '|| database.connection().is_held(run);' ';' \
  store Postgres.WhatAnotherMachineMeasuresIsNotPruned
check 'what is measured is not called interrupted' aisp/store/query.cpp \
  'if (open && is_in_progress(' 'if (false && is_in_progress(' \
  store On/Stores.WhatIsBeingMeasuredIsRunningAndNotInterrupted/Sqlite
check 'what may change without an event is not kept' aisp/server/service.cpp \
  ' || !response.lasts' '' \
  server Service.AnAnswerThatMayChangeWithoutANewEventIsNotKept
check 'a servers password is on no command line' aisp/cli/tui_library.cpp \
  'if (!store::is_postgres_url(value)) words' 'words' \
  integration SharedStore.TheTerminalInterfaceShowsItsPasswordToNobody
check 'a servers password is on no screen' aisp/cli/tui_library.cpp \
  'return store::without_password(arguments_.text("store"))' 'return arguments_.text("store")' \
  integration SharedStore.TheTerminalInterfaceShowsItsPasswordToNobody
check 'writers of a server take turns' aisp/store/postgres_connection.cpp \
  'SELECT pg_advisory_xact_lock(' 'SELECT (' \
  store On/Processes.EightWritersAndSixteenReaders/Postgres
check 'one name for two runs' aisp/store/merge.cpp \
  'if (conflicts_.empty()) return report_;' 'if (true) return report_;' \
  store On/Merges.OneNameForTwoRunsIsRefusedByName/Sqlite
check 'a writer lets the others go first' aisp/store/sqlite_connection.cpp \
  'std::this_thread::sleep_until(released_ + kLongestLook);' '(void)kLongestLook;' \
  store WriteLock.AWriterStaysAwayForOneLookAfterEachTurn
check 'a size no workload can run with' aisp/harness/plan.cpp \
  'if (value >= axis.least && value <= axis.most.value_or(value)) continue;' 'if (true || axis.most) continue;' \
  integration CommandLine.WhatAWorkloadCannotRunWithIsRefusedAndItsLeastIsNot
check 'collective work without ranks' aisp/harness/worker.cpp \
  'if (workload.shape == Shape::collective)' 'if (false)' \
  integration CollectiveWork.IsRefusedWhereThereIsNoLauncher
check 'text is not a store' aisp/store/damage.cpp \
  'is_text(head)) {' 'is_text(head) && head.empty()) {' \
  store Recover.SomebodysNotesAreLeftAlone
check 'what was never a store' aisp/store/damage.cpp \
  '!has_traces_of_a_store(*file)' 'false && !has_traces_of_a_store(*file)' \
  store Recover.AFileThatWasNeverAStoreIsLeftAlone
check 'the users memory limit' aisp/harness/sampler.cpp \
  'fits_memory(needed_bytes(problem), spec.memory_limit)' 'fits_memory(needed_bytes(problem))' \
  harness FreeMemory.TheUsersLimitIsNamedWhereItIsWhatDecides
check 'host tensors in the memory that is declared' aisp/harness/gpu_variant.cpp \
  'for (const auto& set : sets_) set->set_pinned(pinned);' 'static_cast<void>(pinned);' \
  harness GpuSampler.TensorsOnTheHostAreInTheMemoryThatAVariantDeclares
check 'work after a call that waits has returned' aisp/probes/window_activity.cpp \
  'window.returned_ns.value_or(begin + window.device_ns + kSlackNs)' 'window.stopped_ns' \
  probes WindowActivity.ACallThatWaitsOwnsEverythingUntilItReturns
check 'work on another device' aisp/probes/window_activity.cpp \
  'if (elsewhere(a, window.device)) ++found.other_devices;' '(void)&elsewhere;' \
  probes WindowActivityTest.WorkOfAnotherDeviceIsCountedWheneverItRan
check 'cooperative launches in a window' aisp/probes/window_activity.cpp \
  'if (a.cooperative && !a.device_launched) ++found.cooperative;' '' \
  probes WindowActivityTest.HowWorkWasLaunchedIsCounted
check 'launches by the device in a window' aisp/probes/window_activity.cpp \
  'if (a.device_launched || a.can_launch) ++found.device_launches;' '' \
  probes WindowActivityTest.HowWorkWasLaunchedIsCounted
check 'pages that move in a window' aisp/probes/window_activity.cpp \
  'found.faults += inside ? 1 : 0;' '' \
  probes WindowActivityTest.PagesThatMoveInTheWindowAreCounted
check 'kernels whose code can launch' aisp/device/gpu/launching_kernels.cpp \
  'launches(name(callee)) || found.contains(name(callee))' 'launches(name(callee))' \
  device LaunchingKernels.WhoLaunchesAGraphOrAKernelIsFoundAndNobodyElse
check 'ways of launching told by the audit' aisp/harness/audit_figures.cpp \
  'take(into.cooperative_launches, from.cooperative_launches);' '' \
  harness GpuGuards.CooperativeLaunchesAreDeclared
check 'a second device told by the audit' aisp/harness/audit_figures.cpp \
  'take(into.work_on_other_devices, from.work_on_other_devices);' '' \
  harness GpuGuards.AnotherDeviceRejects
check 'what records cannot show is unknown' aisp/harness/audit_ledger.cpp \
  'found.faults, recorder.sees(Kind::unified_memory))' 'found.faults, true)' \
  harness GpuAudit.WhatRecordsCannotShowIsUnknown
check 'kernels where a call is timed' aisp/harness/gpu_readings.cpp \
  'seen_.captured_kernels = seen_.fewest_captured_kernels = variant.captured_kernels();' '' \
  harness GpuWatched.WhoBehavesOnlyWhileRecordedIsRejected
check 'pieces where a call is timed' aisp/harness/gpu_readings.cpp \
  'seen_.captured_pieces = variant.captured_pieces();' 'seen_.captured_pieces = 1000;' \
  harness GpuWatched.WhoBehavesOnlyWhileRecordedIsRejected
check 'threads that cover for others' aisp/probes/window_activity.cpp \
  ' && a.thread == window.thread' '' \
  probes WindowActivity.TheHostIsAloneWhereNothingRunsAndTheDriverIsNotCalled
check 'attempts that launch otherwise' aisp/harness/merge_evidence.cpp \
  'smallest(into.fewest_captured_kernels, from.fewest_captured_kernels);' '' \
  harness MergeEvidence.AttemptsThatLaunchOtherwiseAreTold
check 'clocks while the device works' aisp/harness/gpu_sampler.cpp \
  'if (!outlasts_look) return;' 'look(); return;' \
  harness GpuSensors.AClockThatIsSlowOnlyUnderLoadIsSeen
check 'device time while recorded' aisp/harness/audit_figures.cpp \
  'take(into.audited_ns, from.audited_ns);' '' \
  harness GpuWatched.WhoBehavesOnlyWhileRecordedIsRejected
check 'kernels of the device apart' aisp/probes/window_activity.cpp \
  'a.kind == Kind::kernel && !a.device_launched) ++' 'a.kind == Kind::kernel) ++' \
  probes WindowActivityTest.HowWorkWasLaunchedIsCounted
check 'the host while the device is idle' aisp/harness/audit_figures.cpp \
  'take(into.host_alone_share, from.host_alone_share);' '' \
  harness GpuHostSync.WorkOnTheHostIsSeenThoughTheHostsClockTimesIt
check 'no facts of a gate that is not there' aisp/harness/gpu_readings.cpp \
  'if (variant.instrument() != Instrument::call) {' 'if (true) {' \
  harness GpuSampler.ACallThatWaitsForTheDeviceIsCounted
check 'waiting in the driver is not working' aisp/probes/window_activity.cpp \
  'is_work(a) || (a.kind == Kind::driver_call && a.thread == window.thread)' 'is_work(a)' \
  probes WindowActivity.TheHostIsAloneWhereNothingRunsAndTheDriverIsNotCalled
check 'sets that fit a large cache' aisp/harness/gpu_sampler.cpp \
  'rotation_over_cache_ = 2 * count * static_cast<double>(problem_.bytes()) / rotation;' 'rotation_over_cache_ = 2;' \
  harness GpuSampler.SetsThatDoNotFillALargeCacheAreTold
check 'enough recorded windows' aisp/harness/audit_ledger.cpp \
  'outside_ns_.size() >= kFewestWindows' 'outside_ns_.size() > 1' \
  harness AuditLedger.FewerThanThreeRecordedWindowsProveNothing
check 'cache that survives a flush' aisp/harness/gpu_readings.cpp \
  '(reading.persists ? 1 : 0)' '0' \
  harness GpuGuards.CacheThatSurvivesAFlushMayNotBeAskedFor
check 'power limit of a GPU' aisp/probes/device_watch.cpp \
  'power_limit_.look(sensors.watt_limit());' 'power_limit_.look(700);' \
  harness GpuPowerLimit.ThatIsLoweredForOneVariantRejectsAll
check 'power limits of all attempts' aisp/harness/merge_evidence.cpp \
  '  merge_power_limits(into, from);' '  (void)&merge_power_limits;' \
  harness MergeEvidence.PowerLimitsOfAllAttemptsMakeARange
check 'power limits of all variants' aisp/harness/cell_evidence.cpp \
  '  compare_power_limits(result);' '  (void)&compare_power_limits;' \
  harness CellEvidence.PowerLimitsOfAllVariantsMakeARange

# ---- Around the measurement: plugins, the store, configurations, resumed runs, and what is shown
check 'plugins of other headers' aisp/harness/plugin_loader.cpp \
  'if (entry->abi != AISP_PLUGIN_ABI) {' 'if (false) {' \
  integration Every/PluginIsRefused.WithItsCause/wrong_abi
check 'plugins of another C++ library' aisp/harness/plugin_loader.cpp \
  'std::string_view(entry->compiler) != abi_of_this_build() ||' '' \
  integration Every/PluginIsRefused.WithItsCause/other_library
check 'plugins that are cut off' aisp/harness/plugin_loader.cpp \
  'if (!file || segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {' 'if (false) {' \
  integration Every/PluginIsRefused.WithItsCause/half
check 'registrations that are no workloads' aisp/harness/plugin_loader.cpp \
  'if (const auto problems = entry->problems(); !problems.empty()) {' \
  'if (const auto problems = entry->problems(); false) {' \
  integration Every/PluginIsRefused.WithItsCause/twice
check 'events that do not match their hash' aisp/store/chain.cpp \
  'if (!is_intact(row.event)) return "its content does not match its hash";' '' \
  store On/Chain.AChangedPayloadIsFound/Sqlite
check 'events in another order' aisp/store/chain.cpp \
  'if (row.hash != chain_hash(report_.head, row.event.id)) return "it does not follow the event before it";' '' \
  store On/Chain.ReorderedEventsAreFound/Sqlite
check 'last events that are missing' aisp/store/chain.cpp \
  'if (database_.number(events_written(database_.engine())) != report_.events) {' 'if (false) {' \
  store On/Chain.MissingLastEventsAreFound/Sqlite
check 'payloads erased though nobody pruned' aisp/store/chain.cpp \
  'if (declared == pruned_at_.end() || declared->second <= row.seq) {' 'if (false) {' \
  store On/Chain.AnErasedPayloadThatNoPruningDeclaresIsFound/Sqlite
check 'no program changes a stored event' aisp/store/schema.cpp \
  "BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;" 'BEGIN SELECT 1; END;' \
  store On/Chain.StoredEventsCannotBeChangedRemovedOrReplaced/Sqlite
check 'no program puts an event in the place of another' aisp/store/schema.cpp \
  "BEGIN SELECT RAISE(ABORT, 'events are only appended'); END;" 'BEGIN SELECT 1; END;' \
  store On/Chain.StoredEventsCannotBeChangedRemovedOrReplaced/Sqlite
check 'what cannot be stored goes to the journal' aisp/store/store.cpp \
  'keep_in_journal(journal_files(file_, options_.fallback), event)' 'Error{ErrorCode::io, "", ""}' \
  store On/Journals.ALockedStoreLosesNothing/Sqlite
check 'the journal is imported' aisp/store/journal.cpp \
  '++(append(database, event) ? report.imported : report.known);' '(void)event;' \
  store On/Journals.IsImportedOnceAndRemoved/Sqlite
check 'lines of the journal match their hashes' aisp/store/journal.cpp \
  'read && read->payload && is_intact(*read)' 'read && read->payload' \
  store Journal.DamagedLinesAreKeptAside
check 'damaged events noticed at opening' aisp/store/damage.cpp \
  'if (const auto damage = damaged_tail(database)) return Damage{*damage, true};' '(void)&damaged_tail;' \
  store Recover.OneDamagedEventCostsOneEvent
check 'a damaged store is kept as it was' aisp/store/recover.cpp \
  'move(source, report.kept_as);' 'fs::remove(source);' \
  store Recover.EmptyAndRandomFilesAreKeptAside
check 'sound events alone are recovered' aisp/store/salvage.cpp \
  'if (!row.well_typed || !is_intact(row.event) || !taken_.insert(row.event.id).second) {' 'if (false) {' \
  store Recover.OneDamagedEventCostsOneEvent
check 'a store in use is not moved' aisp/store/recover.cpp \
  'if (in_use(file)) {' 'if (false && in_use(file)) {' \
  store Recover.AStoreThatAnotherProcessUsesIsNotMoved
check 'a newer store is not written' aisp/store/migrate.cpp \
  'if (version <= kSchemaVersion) return;' 'if (version <= kSchemaVersion || true) return;' \
  store On/Migrations.ANewerStoreIsReadAndNotWritten/Sqlite
check 'a store that became newer meanwhile' aisp/store/store.cpp \
  'refuse_newer(*database_);  // another process may have migrated the store since we opened it' '' \
  store On/Migrations.AStoreMigratedByANewerProgramUnderOurHandsIsLeftAlone/Sqlite
check 'a store that became newer is not pruned' aisp/store/prune.cpp \
  'refuse_newer(database);' '' \
  store On/Migrations.AStoreMigratedByANewerProgramUnderOurHandsIsNotPruned/Sqlite
check 'nothing is merged into a store that became newer' aisp/store/merge.cpp \
  'refuse_newer(database);' '' \
  store On/Merges.NothingIsAddedToAStoreThatANewerProgramMigratedMeanwhile/Sqlite
check 'a migration happens as a whole' aisp/store/migrate.cpp \
  '    set_schema_version(database, next);
    transaction.commit();' \
  '    transaction.commit();
    set_schema_version(database, next);' \
  store Migrate.KilledAnywhereLeavesTheOldOrTheNewVersion
check 'pruning is declared in the chain' aisp/store/prune.cpp \
  'append(database, event);' '' \
  store On/Prunes.KeepsTheNewestAndTheChain/Sqlite
check 'what pruning leaves is still protected' aisp/store/event.cpp \
  'return event.id == sha256_hex(canonical_text(event));' 'return true;' \
  store On/Prunes.APrunedStoreIsStillProtected/Sqlite
check 'verdicts derived again from their samples' aisp/cli/store.cpp \
  'return to_json(again) == to_json(stored);' 'return true;' \
  cli StoreCheck.FindsAVerdictThatDoesNotFollowFromTheSamples
check 'settings that do not exist' aisp/cli/config_file.cpp \
  'return unknown_key(name, line, owner, top);' 'return Ok{};' \
  integration Every/ConfigMistake.IsNamedWithItsLineAndTheWayOut/0
check 'values out of their range' aisp/cli/settings.cpp \
  ' || !(number >= flag.low && number <= flag.high)' '' \
  integration Config.WithAValueOutOfRangeNamesTheFileAndTheLine
check 'nothing is resumed that is finished' aisp/cli/resume.cpp \
  'if (earlier->status == "finished") {' 'if (false) {' \
  integration RefusedCell.IsStoredWithItsReasonAndTheRunIsFinished
check 'a run is resumed where it was begun' aisp/cli/resume.cpp \
  'if (*hardware != earlier->manifest.hardware) {' 'if (false) {' \
  integration Resume.OfARunThatWasBegunOnAnotherMachineIsRefused
check 'finished cells are not measured again' aisp/cli/resume.cpp \
  'return done.workload == cell.workload.id && done.parameters == cell.params.text();' \
  'return done.workload.empty() && cell.workload.id.empty();' \
  integration Interrupted.ByCtrlCKeepsFinishedCellsAndResumes
check 'control characters in tables' aisp/report/text.cpp \
  '} else if (next.code < 0x20 || next.code == 0x7f) {' '} else if (false) {' \
  report Hostile.TerminalSeesNoEscape
check 'control characters in HTML' aisp/report/svg.cpp \
  'for (const char c : visible(text)) {' 'for (const char c : text) {' \
  report Hostile.HtmlHasNoForeignTag
check 'tags in HTML' aisp/report/svg.cpp \
  'out += "&lt;";' 'out += c;' \
  report Hostile.HtmlHasNoForeignTag
check 'quotes in attributes of HTML' aisp/report/svg.cpp \
  'out += "&quot;";' 'out += c;' \
  report Hostile.MarkupIsTextInAttributesToo
check 'tags in Markdown' aisp/report/markdown.cpp \
  'out += "&lt;";' 'out += c;' \
  report Hostile.MarkdownStartsNoMarkup
check 'formulas in CSV' aisp/report/csv.cpp \
  'std::string_view("=+-@").find(field.front()) != std::string_view::npos' 'false' \
  report Hostile.CsvKeepsItsColumns
check 'control characters in errors' aisp/cli/main.cpp \
  'report::visible(error.message).c_str()' 'error.message.c_str()' \
  integration Names.AreInertInErrors
check 'nesting of JSON' aisp/wire/json.cpp \
  'if (nesting_of(text, max_depth) > max_depth) {' 'if (nesting_of(text, max_depth) < 0) {' \
  wire Json.DeepNestingIsRefused
check 'broken UTF-8 in JSON' aisp/wire/json.cpp \
  'clean += "\xef\xbf\xbd";' 'clean += text[i];' \
  wire Json.HostileTextIsRefusedOrCleaned
